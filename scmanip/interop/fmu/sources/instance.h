/* One instance of the unit, whatever version of FMI it speaks. */
#ifndef SCMANIP_INSTANCE_H
#define SCMANIP_INSTANCE_H

#include "loop.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined _WIN32
#define EXPORTED __declspec(dllexport)
#elif defined __GNUC__
#define EXPORTED __attribute__((visibility("default")))
#else
#define EXPORTED
#endif

typedef struct {
    Loop loop;
    double start_s;
    int outputs_are_known;
    double outputs[SIZE_OF(COUNT_OUTPUTS)];
} Unit;

static void unit_reset(Unit *unit)
{
    loop_reset(&unit->loop);
    unit->start_s = 0.0;
    unit->outputs_are_known = 0;
}

static int unit_get(Unit *unit, const unsigned int *numbers, size_t count, double *values)
{
    size_t k;
    for (k = 0; k < count; k++) {
        if (loop_is_output(numbers[k]) && !unit->outputs_are_known) {
            loop_outputs(&unit->loop, unit->outputs);
            unit->outputs_are_known = 1;
        }
        if (!loop_get(&unit->loop, numbers[k], unit->outputs, values + k)) {
            return 0;
        }
    }
    return 1;
}

static int unit_set(Unit *unit, const unsigned int *numbers, size_t count, const double *values)
{
    size_t k;
    unit->outputs_are_known = 0;
    for (k = 0; k < count; k++) {
        if (!loop_set(&unit->loop, numbers[k], values[k])) {
            return 0;
        }
    }
    return 1;
}

static LoopStatus unit_step(Unit *unit, double from, double size)
{
    const double off = from - unit->loop.t;
    unit->outputs_are_known = 0;
    if (!(off < 1e-9 * (1.0 + (from < 0 ? -from : from)) && off > -1e-9 * (1.0 + (from < 0 ? -from : from)))) {
        return LOOP_BACKWARDS;
    }
    return loop_advance(&unit->loop, from + size);
}

#endif
