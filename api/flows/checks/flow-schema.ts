import { z } from 'zod';
import { settingsMaxima } from '../../../domain/confirmation-settings';
import { ratingKeys } from '../../../domain/flows/decision-facts';
import { flowLimits } from '../../../domain/flows/flow-limits';
import { nameForms } from '../../../domain/flows/name-forms';
import { languages } from '../../../domain/language';

/*
 * Shapes alone are refused here. Ranges and forms stand in the metadata, for editors: `checkFlow` refuses them in words of
 * its own.
 */
const whole = ([minimum, maximum]: readonly [number, number], description: string) =>
  z.number().meta({ type: 'integer', minimum, maximum, description });
const kebab = (description: string) =>
  z.string().meta({ pattern: nameForms.kebab.source, maxLength: flowLimits.name, description });
const pascal = (description: string) =>
  z.string().meta({ pattern: nameForms.pascal.source, maxLength: flowLimits.name, description });
const target = (description = 'The step that it leads to.') => z.string().meta({ description });
const inEachLanguage = <Text extends z.ZodType>(text: Text) => z.strictObject({ 'pt-BR': text, en: text, es: text });

const exits = z.record(z.string(), target()).meta({ description: 'By result, the step that a run goes to.' });
const channel = z.enum(['sms', 'email', 'whatsapp']);

const visited = {
  visits: whole([1, flowLimits.visits], 'How often a run may enter the step.').exactOptional(),
  exhausted: target('The next step once `visits` is exhausted.').exactOptional(),
};

const message = inEachLanguage(
  z.strictObject({
    subject: z.string().meta({ maxLength: flowLimits.subject, description: 'E-mail only.' }).exactOptional(),
    body: z.string().meta({ maxLength: flowLimits.message, description: 'With {{brand}}, {{code}} and {{minutes}}.' }),
  }),
);

const reply = z.strictObject({
  option: whole([1, flowLimits.replies], 'Its number, from 1 in order.'),
  name: pascal('The exit that it is, such as Yes.'),
  meaning: z.enum(['yes', 'no', 'neither']).meta({ description: 'What it says of the transaction.' }),
  label: inEachLanguage(z.string().meta({ description: 'What the button says.' })),
  words: z.array(z.string()).meta({ minItems: 1, description: 'Written answers that mean it, in lower case.' }),
});

const confirm = z.strictObject({
  kind: z.literal('confirm'),
  ...visited,
  channel,
  ask: z.enum(['token', 'reply']).meta({ description: 'A code to give back, or an answer to a question.' }),
  template: z.string().meta({ description: 'The name of a text; or else message.' }).exactOptional(),
  message: message.exactOptional(),
  options: z
    .array(reply)
    .meta({ minItems: 2, maxItems: flowLimits.replies, description: 'Questions only.' })
    .exactOptional(),
  expiresAfterSeconds: whole(
    [1, settingsMaxima.otherwiseMs / 1_000],
    `From the first message; a code by SMS lives at most ${settingsMaxima.tokenBySmsMs / 1_000}.`,
  ),
  sendLimit: whole([1, settingsMaxima.sendLimit], 'Messages in all.'),
  resendAfterSeconds: whole([1, settingsMaxima.otherwiseMs / 1_000], 'Pause between two messages.'),
  attemptLimit: whole([1, settingsMaxima.attemptLimit], 'Tokens only: values that are tried.').exactOptional(),
  codeDigits: whole(settingsMaxima.codeDigits, 'Tokens only.').exactOptional(),
  resend: z
    .enum(['reuse', 'rotate'])
    .meta({ description: 'Tokens only: what a further message brings.' })
    .exactOptional(),
  exits,
});

const biometrics = z.strictObject({
  kind: z.literal('biometrics'),
  ...visited,
  channels: z
    .array(channel)
    .meta({ uniqueItems: true, description: 'By which the link is sent; none: the caller does.' }),
  linkSeconds: whole(flowLimits.linkSeconds, 'How long the link is open.'),
  decideWithinSeconds: whole(flowLimits.decideWithinSeconds, 'How long images wait for a decision.'),
  exits,
});

const decide = z.strictObject({
  kind: z.literal('decide'),
  ...visited,
  rules: z
    .array(
      z.strictObject({
        when: z.string().meta({
          maxLength: flowLimits.condition,
          description: `CEL over score, insights, answers, visits, transaction, and ratings of ${ratingKeys.join(', ')}.`,
        }),
        then: target(),
        because: z
          .string()
          .meta({ maxLength: flowLimits.line, description: 'The reason that callers and operators read.' })
          .exactOptional(),
      }),
    )
    .meta({ minItems: 1, maxItems: flowLimits.rules, description: 'The first that is true wins.' }),
  else: target('Where a run goes when no rule is true.'),
});

const wait = z.strictObject({
  kind: z.literal('wait'),
  ...visited,
  seconds: whole(flowLimits.waitSeconds, 'How long.'),
  then: target(),
});

const notify = z.strictObject({
  kind: z.literal('notify'),
  ...visited,
  event: z.string().meta({
    pattern: nameForms.event.source,
    maxLength: flowLimits.name,
    description: "The event's type, such as step-up.begun.",
  }),
  giveUpAfterSeconds: whole(flowLimits.giveUpAfterSeconds, 'How long it is tried.'),
  exits,
});

const outcome = z.strictObject({
  kind: z.literal('outcome'),
  outcome: pascal('What callers act on, such as Confirmed; Canceled is taken.'),
});

const steps = [confirm, biometrics, decide, wait, notify, outcome] as const;

export const stepKinds: readonly string[] = steps.flatMap(({ shape }) => [...shape.kind.values]);

/** A flow as JSON. It is proven to be the type FlowDefinition by test/flows/flow-schema.test.ts. */
export const flowSchema = z.strictObject({
  name: kebab('Callers start the flow by it.'),
  version: whole([1, flowLimits.version], 'Rising; a version never changes.'),
  title: z.string().meta({ maxLength: flowLimits.line, description: 'What it is for, in one line.' }).exactOptional(),
  start: target('The first step.'),
  steps: z.record(z.string(), z.discriminatedUnion('kind', steps)).meta({
    description: `By name, in kebab-case. Texts are in ${languages.join(', ')}.`,
    minProperties: 1,
    maxProperties: flowLimits.steps,
  }),
});

/**
 * A flow as it is written in a .json and sent: the service counts its versions, the path or the file may give its name, and an
 * editor may be told the schema.
 */
export const flowFile = flowSchema.omit({ version: true }).extend({
  name: flowSchema.shape.name.exactOptional(),
  $schema: z.string().meta({ description: 'For your editor. It is not saved.' }).exactOptional(),
});

/** The schema for editors, draft 2020-12, with the ranges and forms that `checkFlow` refuses beyond. */
export function flowJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(flowFile), title: 'A flow of confirmations' };
}
