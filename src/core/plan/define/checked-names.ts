// The names of a plan object, checked by the compiler: agents, pools, steps and needs must exist, and keys must be known.
//
// checked-names/N1. Each type maps the keys of what was written to what may stand there. A name that does not exist is an
//     error at its own place.
// checked-names/N2. What the compiler cannot know (cycles, templates, ranges, names and tasks that a program computes) is left to
//     the parser, which every plan passes through.
import type {
  AdapterName,
  AgentSpec,
  ForEachSpec,
  GrowSpec,
  NeedsSpec,
  PlanSpec,
  ReviewSpec,
  StepSpec,
  TaskSpec,
} from './plan-spec.ts';

interface Names {
  readonly agents: string;
  readonly pools: string;
  readonly needs: string;
}

/** One name, or a list of them. */
type Named<Name extends string> = Name | readonly Name[];

/** A name that a program computes has a type as wide as any text, and may stand where names are checked. */
type CheckedNames<Written, Name extends string> = Written extends string
  ? string extends Written
    ? Written
    : Named<Name>
  : Written extends readonly (infer Each)[]
    ? string extends Each
      ? Written
      : Named<Name>
    : Written extends undefined
      ? Written
      : Named<Name>;

/** The same for a map that a program fills, and for a part that has the whole type of such parts. */
type IsComputed<Written, Whole> = string extends keyof Written ? true : Whole extends Written ? true : false;

/** Follows what was written: an object with optional keys alone would take any list, and any other key. */
type NamedPools<Written, Pool extends string> = Written extends string | readonly unknown[] | undefined
  ? CheckedNames<Written, Pool>
  : string extends keyof Written
    ? Written
    : { [Name in keyof Written]: Name extends Pool ? number : never };

type NamedNeeds<Written, Name extends string> = Written extends string | readonly unknown[] | undefined
  ? CheckedNames<Written, Name>
  : NeedsSpec extends Written
    ? Written
    : {
        [Key in keyof Written]: Key extends 'at_least'
          ? number
          : Key extends 'all' | 'any' | 'of' | 'race'
            ? CheckedNames<Written[Key], Name>
            : never;
      };

/** The tasks of a map and those inside them, by dotted path; copies and grown tasks have names that are not known here. */
type PathsIn<Tasks> = {
  [Id in keyof Tasks & string]:
    | Id
    | (Tasks[Id] extends { readonly tasks: infer Inner } ? `${Id}.${PathsIn<Inner>}` : never)
    | (Tasks[Id] extends { readonly for_each: unknown } | { readonly grow: unknown } ? `${Id}.${string}` : never);
}[keyof Tasks & string];

/** A plan that declares no agents names adapters. */
type AgentNames<Plan> = Plan extends { readonly agents: infer Agents } ? keyof Agents & string : AdapterName;
type PoolNames<Plan> = Plan extends { readonly pools: infer Pools } ? keyof Pools & string : never;

type StepIds<Steps> = Steps extends readonly (infer Step)[]
  ? Step extends { readonly id: infer Id extends string }
    ? Id
    : `step-${number}`
  : never;

type CheckedStep<Step, In extends Names, Ids extends string> = {
  [Key in keyof Step]: Key extends 'agent' | 'escalate'
    ? CheckedNames<Step[Key], In['agents']>
    : Key extends 'pool'
      ? CheckedNames<Step[Key], In['pools']>
      : Key extends 'pools'
        ? NamedPools<Step[Key], In['pools']>
        : Key extends 'needs'
          ? CheckedNames<Step[Key], Ids>
          : Key extends keyof StepSpec
            ? Step[Key]
            : never;
};

/** A type of its own, so that a list stays a list. */
type CheckedSteps<Steps, In extends Names, Ids extends string> = {
  [At in keyof Steps]: StepSpec extends Steps[At] ? Steps[At] : CheckedStep<Steps[At], In, Ids>;
};

type CheckedReview<Review, In extends Names> = {
  [Key in keyof Review]: Key extends 'agent'
    ? CheckedNames<Review[Key], In['agents']>
    : Key extends keyof ReviewSpec
      ? Review[Key]
      : never;
};

type CheckedGrow<Grow, In extends Names> = {
  [Key in keyof Grow]: Key extends 'agents'
    ? CheckedNames<Grow[Key], In['agents']>
    : Key extends 'pools'
      ? CheckedNames<Grow[Key], In['pools']>
      : Key extends keyof GrowSpec
        ? Grow[Key]
        : never;
};

type CheckedForEach<ForEach, In extends Names> = {
  [Key in keyof ForEach]: Key extends 'task'
    ? CheckedTask<ForEach[Key], In>
    : Key extends keyof ForEachSpec
      ? ForEach[Key]
      : never;
};

type CheckedTask<Task, In extends Names> =
  IsComputed<Task, TaskSpec> extends true
    ? Task
    : {
        [Key in keyof Task]: Key extends 'needs'
          ? NamedNeeds<Task[Key], In['needs']>
          : Key extends 'steps'
            ? CheckedSteps<Task[Key], In, StepIds<Task[Key]>>
            : Key extends 'tasks'
              ? CheckedTasks<Task[Key], In>
              : Key extends 'for_each'
                ? CheckedForEach<Task[Key], In>
                : Key extends 'grow'
                  ? CheckedGrow<Task[Key], In>
                  : Key extends 'review'
                    ? CheckedReview<Task[Key], In>
                    : Key extends 'hold'
                      ? NamedPools<Task[Key], In['pools']>
                      : Key extends keyof TaskSpec
                        ? Key extends 'agent' | 'escalate' | 'pool' | 'pools'
                          ? CheckedStep<Task, In, never>[Key]
                          : Task[Key]
                        : never;
      };

/** A task names its siblings by id, and others by their dotted path from a task around it or from the root. */
type CheckedTasks<Tasks, In extends Names> = string extends keyof Tasks
  ? Tasks
  : {
      [Id in keyof Tasks]: CheckedTask<
        Tasks[Id],
        { readonly agents: In['agents']; readonly pools: In['pools']; readonly needs: In['needs'] | PathsIn<Tasks> }
      >;
    };

type CheckedAgents<Agents, Pool extends string> = {
  [Name in keyof Agents]: Agents[Name] extends string
    ? Agents[Name]
    : IsComputed<Agents[Name], AgentSpec> extends true
      ? Agents[Name]
      : {
          [Key in keyof Agents[Name]]: Key extends 'pool'
            ? CheckedNames<Agents[Name][Key], Pool>
            : Key extends keyof AgentSpec
              ? Agents[Name][Key]
              : never;
        };
};

export type CheckedPlan<Plan> =
  IsComputed<Plan, PlanSpec> extends true
    ? Plan
    : {
        [Key in keyof Plan]: Key extends 'tasks'
          ? CheckedTasks<
              Plan[Key],
              { readonly agents: AgentNames<Plan>; readonly pools: PoolNames<Plan>; readonly needs: never }
            >
          : Key extends 'agents'
            ? CheckedAgents<Plan[Key], PoolNames<Plan>>
            : Key extends 'agent'
              ? CheckedNames<Plan[Key], AgentNames<Plan>>
              : Key extends keyof PlanSpec
                ? Plan[Key]
                : never;
      };
