import { z } from 'zod';
import { channels, settingsLimits, textChannels } from '../../../domain/confirmations/settings';
import { ratingKeys } from '../../../domain/flows/decision-facts';
import { flowLimits } from '../../../domain/flows/bounds';
import { namePatterns } from '../../../domain/flows/definition';
import { valueLimits } from '../../../domain/flows/flow-values';
import { languages } from '../../../domain/transactions/input';
import { named } from '../../http/openapi/schema-of';

/*
 * The schema rejects unknown and missing fields, unknown values and wrong types. The ranges and patterns are only metadata for editors:
 * `checkFlow` checks them, with better messages.
 */
const wholeNumber = ([minimum, maximum]: readonly [number, number], description: string) =>
  z.number().meta({ type: 'integer', minimum, maximum, description });
const kebabCaseText = (description: string) =>
  z.string().meta({ pattern: namePatterns.kebab.source, maxLength: flowLimits.nameCharacters, description });
const pascalCaseText = (description: string) =>
  z.string().meta({ pattern: namePatterns.pascal.source, maxLength: flowLimits.nameCharacters, description });
const nextStep = (description = 'The next step.') => z.string().meta({ description });
const inEachLanguage = <Text extends z.ZodType>(text: Text) => z.strictObject({ 'pt-BR': text, en: text, es: text });

const exits = z.record(z.string(), nextStep()).meta({ description: 'The next step for each exit.' });
const channel = z.enum(channels);

/** The fields of every step that a flow run can enter more than once. */
const visitFields = {
  visits: wholeNumber([1, flowLimits.visits], 'How often a flow run may enter the step.').exactOptional(),
  exhausted: nextStep('The next step when no visits are left.').exactOptional(),
};

const message = inEachLanguage(
  named(
    'FlowMessageText',
    z.strictObject({
      subject: z
        .string()
        .meta({ maxLength: flowLimits.subjectCharacters, description: 'The subject. Only for e-mail.' })
        .exactOptional(),
      body: z.string().meta({
        maxLength: flowLimits.messageCharacters,
        description: 'Placeholders: {{brand}}, {{code}} and {{minutes}}.',
      }),
    }),
  ),
);

const reply = named(
  'FlowReply',
  z.strictObject({
    option: wholeNumber([1, flowLimits.replies], 'The number of the reply. The first is 1.'),
    name: pascalCaseText('The exit of this reply, such as Yes.'),
    meaning: z.enum(['yes', 'no', 'neither']).meta({
      description: 'yes: confirms the phone or mailbox. no: denies the transaction. neither: changes no score.',
    }),
    label: inEachLanguage(z.string().meta({ description: 'The text of the button.' })),
    words: z
      .array(z.string())
      .meta({ minItems: 1, description: 'Written messages that count as this reply, in lower case.' }),
  }),
);

const confirm = named(
  'ConfirmStep',
  z.strictObject({
    kind: z.literal('confirm'),
    ...visitFields,
    channel,
    ask: z.enum(['token', 'reply']).meta({ description: 'A code that the person types, or a reply to a question.' }),
    template: z.string().meta({ description: 'The name of a message template, instead of message.' }).exactOptional(),
    message: message.exactOptional(),
    options: z
      .array(reply)
      .meta({ minItems: 2, maxItems: flowLimits.replies, description: 'The possible replies. Only with ask: reply.' })
      .exactOptional(),
    expiresAfterSeconds: wholeNumber(
      [1, settingsLimits.otherLifetimeMs / 1_000],
      `Lifetime in seconds, counted from the first message. With "resend": "rotate", counted from the newest message. A code to a phone: at most ${settingsLimits.phoneTokenLifetimeMs / 1_000} seconds.`,
    ),
    sendLimit: wholeNumber([1, settingsLimits.sendLimit], 'Maximum number of messages.'),
    resendAfterSeconds: wholeNumber(
      [1, settingsLimits.otherLifetimeMs / 1_000],
      'Minimum number of seconds between two messages.',
    ),
    deliverWithinSeconds: wholeNumber(
      flowLimits.deliverWithinSeconds,
      'Maximum number of seconds until the provider reports that a message arrived. Then the step has the exit Undelivered. Not for e-mail.',
    ).exactOptional(),
    attemptLimit: wholeNumber(
      [1, settingsLimits.attemptLimit],
      'Maximum number of attempts to enter the code. Only with ask: token.',
    ).exactOptional(),
    codeDigits: wholeNumber(
      settingsLimits.codeDigits,
      'Number of digits of the code. Only with ask: token.',
    ).exactOptional(),
    resend: z
      .enum(['reuse', 'rotate'])
      .meta({ description: 'Whether a resend has the same code (reuse) or a new one (rotate). Only with ask: token.' })
      .exactOptional(),
    exits,
  }),
);

const biometrics = named(
  'BiometricsStep',
  z.strictObject({
    kind: z.literal('biometrics'),
    ...visitFields,
    channels: z.array(z.enum(textChannels)).meta({
      uniqueItems: true,
      description: 'Channels on which the service sends the link. If empty, the caller gives the link to the person.',
    }),
    linkSeconds: wholeNumber(flowLimits.linkSeconds, 'Lifetime of the link in seconds.'),
    decideWithinSeconds: wholeNumber(
      flowLimits.decideWithinSeconds,
      'Maximum number of seconds between the submission of the images and the decision.',
    ),
    exits,
  }),
);

const decide = named(
  'DecideStep',
  z.strictObject({
    kind: z.literal('decide'),
    ...visitFields,
    rules: z
      .array(
        z.strictObject({
          when: z.string().meta({
            maxLength: flowLimits.conditionCharacters,
            description: `A CEL condition on score, insights, exits, visits, transaction, and ratings of ${ratingKeys.join(', ')}.`,
          }),
          then: nextStep(),
          because: z
            .string()
            .meta({ maxLength: flowLimits.titleCharacters, description: 'The reason that callers and operators see.' })
            .exactOptional(),
        }),
      )
      .meta({
        minItems: 1,
        maxItems: flowLimits.rules,
        description: 'The first rule whose condition is true applies.',
      }),
    else: nextStep('The next step if no condition is true.'),
    failed: nextStep(
      'The next step if a condition cannot be evaluated. Without it, the run ends with the outcome NotDecided.',
    ).exactOptional(),
  }),
);

const wait = named(
  'WaitStep',
  z.strictObject({
    kind: z.literal('wait'),
    ...visitFields,
    seconds: wholeNumber(flowLimits.waitSeconds, 'How many seconds to wait.'),
    then: nextStep(),
  }),
);

const notify = named(
  'NotifyStep',
  z.strictObject({
    kind: z.literal('notify'),
    ...visitFields,
    event: z.string().meta({
      pattern: namePatterns.event.source,
      maxLength: flowLimits.nameCharacters,
      description: 'The name of the event, such as step-up.started.',
    }),
    giveUpAfterSeconds: wholeNumber(
      flowLimits.giveUpAfterSeconds,
      'Maximum number of seconds that the flow run waits until a webhook accepts the event.',
    ),
    exits,
  }),
);

const outcome = named(
  'OutcomeStep',
  z.strictObject({
    kind: z.literal('outcome'),
    outcome: pascalCaseText('The result for callers, such as Confirmed. Canceled and NotDecided are reserved.'),
  }),
);

const steps = [confirm, biometrics, decide, wait, notify, outcome] as const;

/** The kinds of steps, such as `confirm`. */
export const stepKinds: readonly string[] = steps.flatMap(({ shape }) => [...shape.kind.values]);

/** The schema of a flow as JSON. test/flows/flow-schema.test.ts proves that the schema equals the type FlowDefinition. */
export const flowSchema = z.strictObject({
  name: kebabCaseText('Callers start the flow by this name.'),
  version: wholeNumber(
    [1, flowLimits.version],
    'The number of the version. It is higher than all earlier ones. A version never changes.',
  ),
  title: z
    .string()
    .meta({ maxLength: flowLimits.titleCharacters, description: 'The purpose of the flow in one line.' })
    .exactOptional(),
  values: z
    .record(
      z.string(),
      named(
        'FlowValue',
        z.strictObject({
          type: z.enum(['text', 'amount']).meta({ description: 'One line of text, or an amount such as 12.50 BRL.' }),
          maxCharacters: wholeNumber(
            valueLimits.textCharacters,
            'The longest text. Only with type: text.',
          ).exactOptional(),
          label: inEachLanguage(
            z.string().meta({ maxLength: valueLimits.labelCharacters, description: 'The name of the value on pages.' }),
          ),
        }),
      ),
    )
    .meta({
      maxProperties: valueLimits.values,
      description: 'What a caller gives when it starts the flow. Texts show a value by its name, such as {{amount}}.',
    })
    .exactOptional(),
  start: nextStep('The first step.'),
  steps: z.record(z.string(), z.discriminatedUnion('kind', steps)).meta({
    description: `The steps by name. Names are in kebab-case. Texts are in ${languages.join(', ')}.`,
    minProperties: 1,
    maxProperties: flowLimits.steps,
  }),
});

/** A flow in a .json file or a request, without a version. If `name` is absent, it comes from the path or the file name. */
export const flowFile = flowSchema.omit({ version: true }).extend({
  name: flowSchema.shape.name.exactOptional(),
  $schema: z
    .string()
    .meta({ description: 'The schema for your editor. The service does not save this field.' })
    .exactOptional(),
});

/** The JSON Schema (draft 2020-12) of a flow file, with ranges and patterns, for editors. */
export function flowJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(flowFile), title: 'Flow' };
}
