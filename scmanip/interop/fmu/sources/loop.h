/* A closed loop that steps of one length carry from stop to stop: corners of the reference and samples of the law. */
#ifndef SCMANIP_LOOP_H
#define SCMANIP_LOOP_H

#include "unit.h"

/* All that changes. */
typedef struct {
    double t;
    double y[SIZE_OF(COUNT_Y)];
    double command[SIZE_OF(COUNT_COMMAND)];
    double memory[SIZE_OF(COUNT_MEMORY)];
    double parameters[SIZE_OF(COUNT_PARAMETERS)];
    double samples; /* that were taken; t = 0 is number 0 */
} Loop;

typedef enum { LOOP_DONE, LOOP_ALARM, LOOP_NOT_FINITE, LOOP_BACKWARDS, LOOP_TOO_MANY } LoopStatus;

void loop_reset(Loop *loop);                         /* as before anything happened */
void loop_start(Loop *loop, double t);               /* at t, once parameters and commands are set */
LoopStatus loop_advance(Loop *loop, double t_end);   /* on failure the loop is where its last good step ended */
void loop_outputs(const Loop *loop, double outputs[]);
const char *loop_words(LoopStatus status);

/* Variables by number: t, parameters, commands where they come from outside, outputs. 0 where there is no such number. */
int loop_get(const Loop *loop, unsigned int number, const double outputs[], double *value);
int loop_set(Loop *loop, unsigned int number, double value);
int loop_is_output(unsigned int number);

#endif
