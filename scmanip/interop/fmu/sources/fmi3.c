/* FMI 3.0, co-simulation. */
#include "instance.h"
#include <stdbool.h>

#ifdef FMI_HEADERS /* those of the standard, to compare with */
#include "fmi3Functions.h"
#else
typedef void *fmi3Instance, *fmi3InstanceEnvironment, *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean, fmi3Clock;
typedef char fmi3Char;
typedef const fmi3Char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent } fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean, fmi3Boolean, fmi3Boolean,
                                               fmi3Boolean, fmi3Boolean *, fmi3Float64 *);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);
#endif

typedef struct {
    Unit unit;
    fmi3LogMessageCallback logger;
    fmi3InstanceEnvironment environment;
} Instance;

typedef const fmi3ValueReference *References;

static fmi3Status failed(Instance *instance, const char *words)
{
    if (instance && instance->logger) {
        instance->logger(instance->environment, fmi3Error, "logStatusError", words);
    }
    return fmi3Error;
}

EXPORTED const char *fmi3GetVersion(void) { return "3.0"; }

EXPORTED fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t n, const fmi3String categories[])
{
    return fmi3OK;
}

EXPORTED fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                                   fmi3Boolean logging, fmi3InstanceEnvironment environment,
                                                   fmi3LogMessageCallback logger)
{
    return NULL;
}

EXPORTED fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                                  fmi3Boolean logging, fmi3Boolean events, fmi3Boolean early,
                                                  const fmi3ValueReference required[], size_t n,
                                                  fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger,
                                                  fmi3IntermediateUpdateCallback update)
{
    Instance *instance;
    if (events || !token || strcmp(token, TOKEN) || !(instance = calloc(1, sizeof *instance))) {
        return NULL;
    }
    instance->logger = logger;
    instance->environment = environment;
    unit_reset(&instance->unit);
    return instance;
}

EXPORTED fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                                        fmi3Boolean visible, fmi3Boolean logging,
                                                        fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger,
                                                        fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
                                                        fmi3UnlockPreemptionCallback unlock)
{
    return NULL;
}

EXPORTED void fmi3FreeInstance(fmi3Instance c) { free(c); }

EXPORTED fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean tolerant, fmi3Float64 tolerance, fmi3Float64 start,
                                                fmi3Boolean ends, fmi3Float64 stop)
{
    ((Instance *)c)->unit.start_s = start;
    return fmi3OK;
}

EXPORTED fmi3Status fmi3ExitInitializationMode(fmi3Instance c)
{
    Unit *unit = &((Instance *)c)->unit;
    loop_start(&unit->loop, unit->start_s);
    unit->outputs_are_known = 0;
    return fmi3OK;
}

EXPORTED fmi3Status fmi3EnterEventMode(fmi3Instance c) { return failed(c, "there are no events"); }
EXPORTED fmi3Status fmi3Terminate(fmi3Instance c) { return fmi3OK; }

EXPORTED fmi3Status fmi3Reset(fmi3Instance c)
{
    unit_reset(&((Instance *)c)->unit);
    return fmi3OK;
}

EXPORTED fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 values[], size_t m)
{
    return m == n && unit_get(&((Instance *)c)->unit, vr, n, values) ? fmi3OK : failed(c, "there is no such variable");
}

EXPORTED fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Float64 values[], size_t m)
{
    return m == n && unit_set(&((Instance *)c)->unit, vr, n, values) ? fmi3OK : failed(c, "there is no such parameter or input");
}

static fmi3Status none(fmi3Instance c, size_t n) { return n ? failed(c, "there is no variable of that type") : fmi3OK; }

#define NO_VARIABLES(kind)                                                                                               \
    EXPORTED fmi3Status fmi3Get##kind(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3##kind v[], size_t m)  \
    {                                                                                                                    \
        return none(c, n);                                                                                               \
    }                                                                                                                    \
    EXPORTED fmi3Status fmi3Set##kind(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3##kind v[],      \
                                      size_t m)                                                                          \
    {                                                                                                                    \
        return none(c, n);                                                                                               \
    }
NO_VARIABLES(Float32)
NO_VARIABLES(Int8)
NO_VARIABLES(UInt8)
NO_VARIABLES(Int16)
NO_VARIABLES(UInt16)
NO_VARIABLES(Int32)
NO_VARIABLES(UInt32)
NO_VARIABLES(Int64)
NO_VARIABLES(UInt64)
NO_VARIABLES(Boolean)
NO_VARIABLES(String)

EXPORTED fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference vr[], size_t n, size_t sizes[], fmi3Binary v[], size_t m)
{
    return none(c, n);
}

EXPORTED fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const size_t sizes[],
                                  const fmi3Binary v[], size_t m)
{
    return none(c, n);
}

EXPORTED fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Clock v[]) { return none(c, n); }
EXPORTED fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Clock v[])
{
    return none(c, n);
}

EXPORTED fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference vr, size_t *n)
{
    return failed(c, "dependencies are not offered");
}

EXPORTED fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference dependent, size_t elements[],
                                                fmi3ValueReference independents[], size_t others[],
                                                fmi3DependencyKind kinds[], size_t n)
{
    return failed(c, "dependencies are not offered");
}

EXPORTED fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *state)
{
    if (!*state && !(*state = malloc(sizeof(Unit)))) {
        return failed(c, "there is no memory");
    }
    memcpy(*state, &((Instance *)c)->unit, sizeof(Unit));
    return fmi3OK;
}

EXPORTED fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state)
{
    memcpy(&((Instance *)c)->unit, state, sizeof(Unit));
    return fmi3OK;
}

EXPORTED fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *state)
{
    free(*state);
    *state = NULL;
    return fmi3OK;
}

EXPORTED fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t *size)
{
    *size = sizeof(Unit);
    return fmi3OK;
}

EXPORTED fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size)
{
    if (size != sizeof(Unit)) {
        return failed(c, "the size is not that of a state");
    }
    memcpy(bytes, state, size);
    return fmi3OK;
}

EXPORTED fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state)
{
    if (size != sizeof(Unit) || (!*state && !(*state = malloc(sizeof(Unit))))) {
        return failed(c, "the size is not that of a state");
    }
    memcpy(*state, bytes, size);
    return fmi3OK;
}

EXPORTED fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference unknowns[], size_t n,
                                                 const fmi3ValueReference knowns[], size_t m, const fmi3Float64 seed[],
                                                 size_t k, fmi3Float64 sensitivity[], size_t l)
{
    return failed(c, "derivatives are not offered");
}

EXPORTED fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference unknowns[], size_t n,
                                             const fmi3ValueReference knowns[], size_t m, const fmi3Float64 seed[], size_t k,
                                             fmi3Float64 sensitivity[], size_t l)
{
    return failed(c, "derivatives are not offered");
}

EXPORTED fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) { return failed(c, "there are no structural parameters"); }
EXPORTED fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) { return failed(c, "there are no structural parameters"); }

#define NO_CLOCKS(name, ...)                                        \
    EXPORTED fmi3Status name(fmi3Instance c, const fmi3ValueReference vr[], size_t n, __VA_ARGS__) { return none(c, n); }
NO_CLOCKS(fmi3GetIntervalDecimal, fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])
NO_CLOCKS(fmi3GetIntervalFraction, fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])
NO_CLOCKS(fmi3GetShiftDecimal, fmi3Float64 shifts[])
NO_CLOCKS(fmi3GetShiftFraction, fmi3UInt64 counters[], fmi3UInt64 resolutions[])
NO_CLOCKS(fmi3SetIntervalDecimal, const fmi3Float64 intervals[])
NO_CLOCKS(fmi3SetIntervalFraction, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
NO_CLOCKS(fmi3SetShiftDecimal, const fmi3Float64 shifts[])
NO_CLOCKS(fmi3SetShiftFraction, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])

EXPORTED fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) { return failed(c, "there are no events"); }

EXPORTED fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *again, fmi3Boolean *terminate, fmi3Boolean *nominals,
                                             fmi3Boolean *values, fmi3Boolean *defined, fmi3Float64 *next)
{
    return failed(c, "there are no events");
}

EXPORTED fmi3Status fmi3EnterStepMode(fmi3Instance c) { return failed(c, "there are no events"); }

EXPORTED fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Int32 orders[],
                                             fmi3Float64 values[], size_t m)
{
    return failed(c, "derivatives are not offered");
}

EXPORTED fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 from, fmi3Float64 size, fmi3Boolean no_way_back, fmi3Boolean *event,
                               fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *last)
{
    Instance *instance = c;
    const LoopStatus status = unit_step(&instance->unit, from, size);
    *event = *terminate = *early = false;
    *last = instance->unit.loop.t;
    return status == LOOP_DONE ? fmi3OK : failed(instance, loop_words(status));
}

#define NO_MODEL_EXCHANGE(name, ...) \
    EXPORTED fmi3Status name(__VA_ARGS__) { return failed(c, "the unit is for co-simulation"); }
NO_MODEL_EXCHANGE(fmi3EnterContinuousTimeMode, fmi3Instance c)
NO_MODEL_EXCHANGE(fmi3CompletedIntegratorStep, fmi3Instance c, fmi3Boolean no_way_back, fmi3Boolean *event, fmi3Boolean *terminate)
NO_MODEL_EXCHANGE(fmi3SetTime, fmi3Instance c, fmi3Float64 t)
NO_MODEL_EXCHANGE(fmi3SetContinuousStates, fmi3Instance c, const fmi3Float64 x[], size_t n)
NO_MODEL_EXCHANGE(fmi3GetContinuousStateDerivatives, fmi3Instance c, fmi3Float64 x[], size_t n)
NO_MODEL_EXCHANGE(fmi3GetEventIndicators, fmi3Instance c, fmi3Float64 x[], size_t n)
NO_MODEL_EXCHANGE(fmi3GetContinuousStates, fmi3Instance c, fmi3Float64 x[], size_t n)
NO_MODEL_EXCHANGE(fmi3GetNominalsOfContinuousStates, fmi3Instance c, fmi3Float64 x[], size_t n)
NO_MODEL_EXCHANGE(fmi3GetNumberOfEventIndicators, fmi3Instance c, size_t *n)
NO_MODEL_EXCHANGE(fmi3GetNumberOfContinuousStates, fmi3Instance c, size_t *n)
NO_MODEL_EXCHANGE(fmi3ActivateModelPartition, fmi3Instance c, fmi3ValueReference clock, fmi3Float64 t)
