/* FMI 2.0, co-simulation. */
#include "instance.h"

#ifdef FMI_HEADERS /* those of the standard, to compare with */
#include "fmi2Functions.h"
#else
typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef char fmi2Char, fmi2Byte;
typedef const fmi2Char *fmi2String;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;
typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
typedef struct {
    fmi2CallbackLogger logger;
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;
#endif

typedef struct {
    Unit unit;
    fmi2CallbackLogger logger;
    fmi2ComponentEnvironment environment;
    char *name;
} Instance;

static fmi2Status failed(Instance *instance, const char *words)
{
    if (instance->logger) {
        instance->logger(instance->environment, instance->name, fmi2Error, "logStatusError", "%s", words);
    }
    return fmi2Error;
}

EXPORTED const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORTED const char *fmi2GetVersion(void) { return "2.0"; }

EXPORTED fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String categories[])
{
    return fmi2OK;
}

EXPORTED fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                                       const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging)
{
    Instance *instance;
    if (type != fmi2CoSimulation || !name || !token || strcmp(token, TOKEN) || !(instance = calloc(1, sizeof *instance))) {
        return NULL;
    }
    instance->name = malloc(strlen(name) + 1);
    if (!instance->name) {
        free(instance);
        return NULL;
    }
    strcpy(instance->name, name);
    if (functions) {
        instance->logger = functions->logger;
        instance->environment = functions->componentEnvironment;
    }
    unit_reset(&instance->unit);
    return instance;
}

EXPORTED void fmi2FreeInstance(fmi2Component c)
{
    if (c) {
        free(((Instance *)c)->name);
        free(c);
    }
}

EXPORTED fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerant, fmi2Real tolerance, fmi2Real start,
                                        fmi2Boolean ends, fmi2Real stop)
{
    ((Instance *)c)->unit.start_s = start;
    return fmi2OK;
}

EXPORTED fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return fmi2OK; }

EXPORTED fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    Unit *unit = &((Instance *)c)->unit;
    loop_start(&unit->loop, unit->start_s);
    unit->outputs_are_known = 0;
    return fmi2OK;
}

EXPORTED fmi2Status fmi2Terminate(fmi2Component c) { return fmi2OK; }

EXPORTED fmi2Status fmi2Reset(fmi2Component c)
{
    unit_reset(&((Instance *)c)->unit);
    return fmi2OK;
}

EXPORTED fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[])
{
    return unit_get(&((Instance *)c)->unit, vr, n, value) ? fmi2OK : failed(c, "there is no such variable");
}

EXPORTED fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[])
{
    return unit_set(&((Instance *)c)->unit, vr, n, value) ? fmi2OK : failed(c, "there is no such parameter or input");
}

#define NO_VARIABLES(kind)                                                                                            \
    EXPORTED fmi2Status fmi2Get##kind(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2##kind value[])   \
    {                                                                                                                 \
        return n ? failed(c, "there is no variable of that type") : fmi2OK;                                           \
    }                                                                                                                 \
    EXPORTED fmi2Status fmi2Set##kind(fmi2Component c, const fmi2ValueReference vr[], size_t n,                       \
                                      const fmi2##kind value[])                                                       \
    {                                                                                                                 \
        return n ? failed(c, "there is no variable of that type") : fmi2OK;                                           \
    }
NO_VARIABLES(Integer)
NO_VARIABLES(Boolean)
NO_VARIABLES(String)

EXPORTED fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    if (!*state && !(*state = malloc(sizeof(Unit)))) {
        return failed(c, "there is no memory");
    }
    memcpy(*state, &((Instance *)c)->unit, sizeof(Unit));
    return fmi2OK;
}

EXPORTED fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state)
{
    memcpy(&((Instance *)c)->unit, state, sizeof(Unit));
    return fmi2OK;
}

EXPORTED fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    free(*state);
    *state = NULL;
    return fmi2OK;
}

EXPORTED fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    *size = sizeof(Unit);
    return fmi2OK;
}

EXPORTED fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    if (size != sizeof(Unit)) {
        return failed(c, "the size is not that of a state");
    }
    memcpy(bytes, state, size);
    return fmi2OK;
}

EXPORTED fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state)
{
    if (size != sizeof(Unit) || (!*state && !(*state = malloc(sizeof(Unit))))) {
        return failed(c, "the size is not that of a state");
    }
    memcpy(*state, bytes, size);
    return fmi2OK;
}

EXPORTED fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[], size_t n,
                                                 const fmi2ValueReference knowns[], size_t m, const fmi2Real seed[],
                                                 fmi2Real value[])
{
    return failed(c, "derivatives are not offered");
}

EXPORTED fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                                const fmi2Integer order[], const fmi2Real value[])
{
    return failed(c, "inputs are held");
}

EXPORTED fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                                 const fmi2Integer order[], fmi2Real value[])
{
    return failed(c, "derivatives are not offered");
}

EXPORTED fmi2Status fmi2DoStep(fmi2Component c, fmi2Real from, fmi2Real size, fmi2Boolean no_way_back)
{
    const LoopStatus status = unit_step(&((Instance *)c)->unit, from, size);
    return status == LOOP_DONE ? fmi2OK : failed(c, loop_words(status));
}

EXPORTED fmi2Status fmi2CancelStep(fmi2Component c) { return failed(c, "steps are never pending"); }

EXPORTED fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)
{
    return failed(c, "steps are never pending");
}

EXPORTED fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    if (kind != fmi2LastSuccessfulTime) {
        return failed(c, "steps are never pending");
    }
    *value = ((Instance *)c)->unit.loop.t;
    return fmi2OK;
}

EXPORTED fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)
{
    return failed(c, "steps are never pending");
}

EXPORTED fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
    if (kind != fmi2Terminated) {
        return failed(c, "steps are never pending");
    }
    *value = 0;
    return fmi2OK;
}

EXPORTED fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{
    return failed(c, "steps are never pending");
}
