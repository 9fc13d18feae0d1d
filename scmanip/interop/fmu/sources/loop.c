#include "loop.h"

#include "dop853.h"
#include <math.h>
#include <string.h>

#define SLIVER 1e-12       /* of a time: what is closer is the same */
#define CLOSE 1e-9         /* of a period: times so close to a sample are that sample */
#define MOST_STEPS 100e6   /* between two stops */

#define FIRST_COMMAND (1 + COUNT_PARAMETERS)
#define FIRST_OUTPUT (FIRST_COMMAND + COUNT_INPUTS)
#define COUNT_VARIABLES (FIRST_OUTPUT + COUNT_OUTPUTS)

static double sliver_at(double t)
{
    return SLIVER * (1.0 + fabs(t));
}

/* Which stretch of the reference a time lies in. */
static int stretch_at(double t)
{
    int number = COUNT_STRETCHES - 1;
    while (number > 0 && unit_corners[number] > t) {
        number--;
    }
    return number;
}

/* Where the integrator has to stop next. */
static double next_stop(const Loop *loop, double t_end)
{
    const double sliver = sliver_at(t_end);
    double stop = t_end;
    int k;
    for (k = 0; k < COUNT_STRETCHES; k++) {
        if (unit_corners[k] > loop->t + sliver && unit_corners[k] < stop) {
            stop = unit_corners[k];
        }
    }
    if (RATE_HZ > 0.0 && loop->samples / RATE_HZ < stop) {
        stop = loop->samples / RATE_HZ;
    }
    return stop > t_end - sliver ? t_end : stop;
}

static void make_norms_one(double y[])
{
    int k, i;
    for (k = 0; k < COUNT_QUATERNIONS; k++) {
        double *first = y + unit_quaternions[k], square = 0.0;
        for (i = 0; i < 4; i++) {
            square += first[i] * first[i];
        }
        for (i = 0; i < 4; i++) {
            first[i] /= sqrt(square);
        }
    }
}

static void take_sample(Loop *loop)
{
    if (RATE_HZ > 0.0 && loop->samples / RATE_HZ <= loop->t + CLOSE / RATE_HZ) {
        double command[SIZE_OF(COUNT_COMMAND)], memory[SIZE_OF(COUNT_MEMORY)];
        const double *reference = unit_rows[stretch_at(loop->t + sliver_at(loop->t))];
        memcpy(memory, loop->memory, sizeof memory);
        unit_law(loop->t, loop->y, reference, memory, loop->parameters, command, loop->memory);
        memcpy(loop->command, command, sizeof command);
        loop->samples += 1.0;
    }
}

/* One step of Dormand and Prince's method of order 8 [Hairer1993]. */
static LoopStatus step(Loop *loop, double t, double h, const double reference[])
{
    double k[STAGES][SIZE_OF(COUNT_Y)], y[SIZE_OF(COUNT_Y)], alarm[SIZE_OF(COUNT_ALARMS)];
    int s, j, i;
    for (s = 0; s < STAGES; s++) {
        for (i = 0; i < COUNT_Y; i++) {
            double sum = 0.0;
            for (j = 0; j < s; j++) {
                sum += dop853_stages[s][j] * k[j][i];
            }
            y[i] = loop->y[i] + h * sum;
        }
        unit_rate(t + dop853_nodes[s] * h, y, loop->command, reference, loop->parameters, k[s], alarm);
        for (i = 0; s == 0 && i < COUNT_ALARMS; i++) {
            if (!(alarm[i] <= 0.0)) {
                return LOOP_ALARM;
            }
        }
    }
    for (i = 0; i < COUNT_Y; i++) {
        double sum = 0.0;
        for (j = 0; j < STAGES; j++) {
            sum += dop853_weights[j] * k[j][i];
        }
        y[i] = loop->y[i] + h * sum;
        if (!(fabs(y[i]) < HUGE_VAL)) {
            return LOOP_NOT_FINITE;
        }
    }
    memcpy(loop->y, y, sizeof y);
    return LOOP_DONE;
}

void loop_reset(Loop *loop)
{
    memset(loop, 0, sizeof *loop);
    memcpy(loop->y, unit_y, sizeof loop->y);
    memcpy(loop->memory, unit_memory, sizeof loop->memory);
    memcpy(loop->parameters, unit_parameters, sizeof loop->parameters);
}

void loop_start(Loop *loop, double t)
{
    loop->t = t;
    if (RATE_HZ > 0.0) {
        loop->samples = ceil(t * RATE_HZ - CLOSE);
        take_sample(loop);
    }
}

LoopStatus loop_advance(Loop *loop, double t_end)
{
    if (t_end < loop->t - sliver_at(loop->t)) {
        return LOOP_BACKWARDS;
    }
    while (t_end - loop->t > sliver_at(t_end)) {
        double start = loop->t, stop, h, count, number;
        const double *reference;
        take_sample(loop);
        stop = next_stop(loop, t_end);
        reference = unit_rows[stretch_at(0.5 * (start + stop))];
        count = ceil((stop - start) / STEP_S * (1.0 - SLIVER));
        count = count < 1.0 ? 1.0 : count;
        if (!(count < MOST_STEPS)) {
            return LOOP_TOO_MANY;
        }
        h = (stop - start) / count;
        make_norms_one(loop->y);
        for (number = 0.0; number < count; number += 1.0) {
            const LoopStatus status = step(loop, start + number * h, h, reference);
            if (status != LOOP_DONE) {
                return status;
            }
            loop->t = start + (number + 1.0) * h;
        }
        loop->t = stop;
    }
    loop->t = t_end;
    make_norms_one(loop->y);
    return LOOP_DONE;
}

void loop_outputs(const Loop *loop, double outputs[])
{
    const double *reference = unit_rows[stretch_at(loop->t + sliver_at(loop->t))];
    unit_shown(loop->t, loop->y, loop->command, reference, loop->parameters, outputs);
}

const char *loop_words(LoopStatus status)
{
    switch (status) {
    case LOOP_DONE:
        return "done";
    case LOOP_ALARM:
        return "a speed runs away, or a gimbal is near its lock";
    case LOOP_NOT_FINITE:
        return "the state is not finite any more; steps may be too long";
    case LOOP_BACKWARDS:
        return "time went backwards";
    case LOOP_TOO_MANY:
        return "too many steps in one call, or a time that is no number";
    }
    return "unknown";
}

int loop_is_output(unsigned int number)
{
    return number >= FIRST_OUTPUT && number < COUNT_VARIABLES;
}

int loop_get(const Loop *loop, unsigned int number, const double outputs[], double *value)
{
    if (number >= COUNT_VARIABLES) {
        return 0;
    }
    if (number == 0) {
        *value = loop->t;
    } else if (number < FIRST_COMMAND) {
        *value = loop->parameters[number - 1];
    } else if (number < FIRST_OUTPUT) {
        *value = loop->command[number - FIRST_COMMAND];
    } else {
        *value = outputs[number - FIRST_OUTPUT];
    }
    return 1;
}

int loop_set(Loop *loop, unsigned int number, double value)
{
    if (number == 0 || number >= FIRST_OUTPUT) {
        return 0;
    }
    if (number < FIRST_COMMAND) {
        loop->parameters[number - 1] = value;
    } else {
        loop->command[number - FIRST_COMMAND] = value;
    }
    return 1;
}
