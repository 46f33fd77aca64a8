import { z } from 'zod';
import { relevances } from '../../domain/scoring/results';
import { closestMatch } from '../../domain/text';
import { bureauCodePattern } from '../../domain/scoring/policy';
import { catalogue } from '../../domain/scoring/score';
import { ruleId } from '../../domain/scoring/rule';

const ruleIds: readonly string[] = catalogue.map((rule) => ruleId(rule));

/** The error texts of a schema: one for a missing value, and one for a wrong value. `requirement`: what the value must be. */
const createErrorOptions = (requirement: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? `is missing; it ${requirement}` : requirement),
});

/** Scores have two decimals. Points with more decimals would not add up to the score that an explanation shows. */
const hasTwoDecimals = (value: number) => Math.round(value * 100) / 100 === value;

function decimalSchema(low: number, high: number) {
  const errorOptions = createErrorOptions(`must be a number from ${low} to ${high} with at most two decimals`);
  return z.number(errorOptions).min(low, errorOptions).max(high, errorOptions).refine(hasTwoDecimals, errorOptions);
}

function integerSchema(low: number, high: number, reason = '') {
  const errorOptions = createErrorOptions(`must be a whole number from ${low} to ${high}${reason}`);
  return z.number(errorOptions).int(errorOptions).min(low, errorOptions).max(high, errorOptions);
}

/** Whether an id is a bureau code with a relevance, such as XA001.Negativo. */
function isBureauRuleId(id: string): boolean {
  const [code = '', ...rest] = id.split('.');
  return bureauCodePattern.test(code) && relevances.some((relevance) => relevance === rest.join('.'));
}

/** What is wrong with the id of a rule; undefined if it is valid. */
function issueOfId(id: string): string | undefined {
  if (ruleIds.includes(id) || isBureauRuleId(id)) return undefined;
  if (/^x/i.test(id))
    return 'must be a code of a bureau: X, a letter and three digits, then its relevance, such as XA001.Negativo';
  // Suggests a rule with the same code and another relevance. If there is none, suggests a rule with a similar code.
  const idsWithSameCode = ruleIds.filter(
    (rule) => rule.split('.')[0]?.toLowerCase() === id.split('.')[0]?.toLowerCase(),
  );
  const match = closestMatch(id, idsWithSameCode) ?? closestMatch(id, ruleIds);
  return match === undefined ? 'is not a rule; remove it' : `is not a rule; did you mean ${match}?`;
}

/** What is wrong with the points of a rule; undefined if they are valid. */
function issueOfPoints(id: string, points: unknown): string | undefined {
  if (typeof points !== 'number' || !(Math.abs(points) <= 100) || !hasTwoDecimals(points))
    return 'must be a number from -100 to 100 with at most two decimals';
  if (id.endsWith('.Positivo') && points < 0) return 'must be 0 or above, so that better evidence never lowers a score';
  if (id.endsWith('.Negativo') && points > 0) return 'must be 0 or below, so that worse evidence never raises a score';
  if (id.endsWith('.Neutro') && points !== 0) return 'must be 0: a neutral finding does not change the score';
  return undefined;
}

const pointsSchema = z
  .record(z.string(), z.unknown(), createErrorOptions('must be an object of points by rule'))
  .superRefine((pointsByRule, context) => {
    for (const [id, value] of Object.entries(pointsByRule)) {
      const message = issueOfId(id) ?? issueOfPoints(id, value);
      if (message !== undefined) context.addIssue({ code: 'custom', path: [id], message });
    }
  });

/** A number of observations. An assessment reads at most 50 observations per value, so a higher number would never be reached. */
const observationCountSchema = integerSchema(2, 50, '; an assessment never counts more than 50');

const isObject = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null;

const thresholdsSchema = z
  .strictObject(
    {
      sharedByDocuments: observationCountSchema,
      sharedWithinDays: integerSchema(1, 365),
      busyTransactions: observationCountSchema,
      contactsOfDocument: observationCountSchema,
      // Must be below 1, because the strength of the finding grows between this likeness and a likeness of 1. Must be above 0, because with
      // 0, every mailbox would resemble the name.
      mailboxResembles: decimalSchema(0.01, 0.99),
      ownerNameSame: decimalSchema(0, 1),
      ownerNameOther: decimalSchema(0, 1),
      ageMin: integerSchema(0, 150),
      ageMax: integerSchema(0, 150),
    },
    createErrorOptions('must be an object with every threshold'),
  )
  .refine(({ ownerNameOther, ownerNameSame }) => !(ownerNameOther > ownerNameSame), {
    path: ['ownerNameOther'],
    error:
      'must be at most ownerNameSame: otherwise one name could count both as the name of the person and as another name',
    when: isObject,
  })
  .refine(({ ageMin, ageMax }) => !(ageMin >= ageMax), {
    path: ['ageMin'],
    error: 'must be below ageMax: otherwise no age would be accepted',
    when: isObject,
  });

/** A policy as a team writes it. It has no defaults: everything that a score depends on is in the file. */
export const policySchema = z.strictObject(
  {
    version: z
      .string(createErrorOptions('must be a text'))
      .regex(/^[!-~]{1,64}$/, 'must be 1 to 64 visible characters of ASCII without spaces'),
    base: decimalSchema(0, 100),
    points: pointsSchema,
    bureau: z.strictObject(
      { Positivo: decimalSchema(0, 100), Negativo: decimalSchema(-100, 0) },
      createErrorOptions('must be an object with Positivo and Negativo'),
    ),
    thresholds: thresholdsSchema,
    history: z.enum(['own', 'shared'], createErrorOptions('must be "own" or "shared"')),
  },
  createErrorOptions('must be one object with version, base, points, bureau, thresholds and history'),
);
