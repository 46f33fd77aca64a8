import { z } from 'zod';
import { relevances } from '../../../domain/analysis';
import { closestMatch } from '../../../domain/closest-match';
import { bureauCode } from '../../../domain/scoring/bureau-code';
import { catalogue } from '../../../domain/scoring/catalogue';
import { ruleId } from '../../../domain/scoring/rule';

const ruleIds: readonly string[] = catalogue.map((rule) => ruleId(rule));

const quote = (rule: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? `is missing; it ${rule}` : rule),
});

/** Scores have two decimals; points with more would not add up to the score that an explanation shows. */
const hasTwoDecimals = (value: number) => Math.round(value * 100) / 100 === value;

function numberFrom(low: number, high: number) {
  const rule = quote(`is a number from ${low} to ${high} with at most two decimals`);
  return z.number(rule).min(low, rule).max(high, rule).refine(hasTwoDecimals, rule);
}

function wholeFrom(low: number, high: number, why = '') {
  const rule = quote(`is a whole number from ${low} to ${high}${why}`);
  return z.number(rule).int(rule).min(low, rule).max(high, rule);
}

/** Whether it is a bureau's code with a relevance, such as XA001.Negativo. */
function isOfBureau(id: string): boolean {
  const [code = '', ...rest] = id.split('.');
  return bureauCode.test(code) && relevances.some((relevance) => relevance === rest.join('.'));
}

function issueOfId(id: string): string | undefined {
  if (ruleIds.includes(id) || isOfBureau(id)) return undefined;
  if (/^x/i.test(id))
    return 'a bureau’s code is X, a letter and three digits, then its relevance, such as XA001.Negativo';
  // The same code in another direction is closer than another code in the same.
  const ofCode = ruleIds.filter((rule) => rule.split('.')[0]?.toLowerCase() === id.split('.')[0]?.toLowerCase());
  const near = closestMatch(id, ofCode) ?? closestMatch(id, ruleIds);
  return `there is no such rule${near === undefined ? '' : `; near: ${near}`}`;
}

function issueOfPoints(id: string, points: unknown): string | undefined {
  if (typeof points !== 'number' || !(Math.abs(points) <= 100) || !hasTwoDecimals(points))
    return 'is a number from -100 to 100 with at most two decimals';
  if (id.endsWith('.Positivo') && points < 0) return 'is 0 or above, so that better evidence never lowers a score';
  if (id.endsWith('.Negativo') && points > 0) return 'is 0 or below, so that worse evidence never raises a score';
  if (id.endsWith('.Neutro') && points !== 0) return 'is 0: a neutral finding moves no score';
  return undefined;
}

const points = z
  .record(z.string(), z.unknown(), quote('is an object of points by rule'))
  .superRefine((given, context) => {
    for (const [id, value] of Object.entries(given)) {
      const message = issueOfId(id) ?? issueOfPoints(id, value);
      if (message !== undefined) context.addIssue({ code: 'custom', path: [id], message });
    }
  });

/** A look takes in at most 50 sightings per value: a count above would never be reached. */
const observationLimit = wholeFrom(2, 50, ', as many as a look takes in');

const isObject = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null;

const thresholds = z
  .strictObject(
    {
      sharedByDocuments: observationLimit,
      sharedWithinDays: wholeFrom(1, 365),
      busyTransactions: observationLimit,
      contactsOfDocument: observationLimit,
      // The finding is graded from here up to a likeness of 1, so that there must be a way to go; at 0 all would be alike.
      mailboxResembles: numberFrom(0.01, 0.99),
      ownerNameSame: numberFrom(0, 1),
      ownerNameOther: numberFrom(0, 1),
      ageMin: wholeFrom(0, 150),
      ageMax: wholeFrom(0, 150),
    },
    quote('is an object with every threshold'),
  )
  .refine(({ ownerNameOther, ownerNameSame }) => !(ownerNameOther > ownerNameSame), {
    path: ['ownerNameOther'],
    error: 'is at most ownerNameSame: a name would be the person’s and another’s at once',
    when: isObject,
  })
  .refine(({ ageMin, ageMax }) => !(ageMin >= ageMax), {
    path: ['ageMin'],
    error: 'is below ageMax: no age would be in order',
    when: isObject,
  });

/** A policy as a team writes it. Nothing is filled in: what a score follows from stands in the file. */
export const policySchema = z.strictObject(
  {
    version: z
      .string(quote('is a text'))
      .regex(/^[!-~]{1,64}$/, 'is 1 to 64 visible characters of ASCII without spaces'),
    base: numberFrom(0, 100),
    points,
    bureau: z.strictObject(
      { Positivo: numberFrom(0, 100), Negativo: numberFrom(-100, 0) },
      quote('is an object with Positivo and Negativo'),
    ),
    thresholds,
    history: z.enum(['own', 'shared'], quote('is "own" or "shared"')),
  },
  quote('is one object with version, base, points, bureau, thresholds and history'),
);
