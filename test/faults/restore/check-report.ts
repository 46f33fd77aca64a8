import type { RestoreReport } from '../../../worker/backup/report';
import type { Person, Span } from './persons';

/** Two backups of a service under traffic, and what happened. */
export interface Drill {
  /** What the command of backup A printed. */
  output: string;
  backups: Record<'A' | 'B', string>;
  /** When Temporal was copied. */
  copied: Record<'A' | 'newer', Span>;
  persons: readonly Person[];
  messages: ReadonlyMap<string, number>;
  /** What callers know of each event, by its id. */
  events: ReadonlyMap<string, string>;
}

/** One combination of parts. `temporal`: undefined: empty. */
export interface Combination {
  main: 'A' | 'B';
  keys: 'A' | 'B';
  temporal: 'A' | 'newer' | undefined;
}

/** Whether something had happened at a time. A change in progress counts as happened in `begun`, and not in `done`. */
type Happened = (span: Span | undefined, at: number) => boolean;
const done: Happened = (span, at) => span !== undefined && span[1] < at;
const begun: Happened = (span, at) => span !== undefined && span[0] < at;

/** Status callbacks change a transaction for some time after its message. */
const settleMs = 3_000;

/** The last change of a person that had begun at a time. */
const lastChange = ({ created, asked, answered, erased }: Person, at: number): Span | undefined =>
  [created, asked, answered, erased].findLast((span) => begun(span, at));

/**
 * Compares the report with what callers were told. A list must have every person for whom it is certain, and may have those whose change was
 * in progress at the time of a backup. Returns what is wrong.
 */
export function checkReport(drill: Drill, { temporal }: Combination, report: RestoreReport): string[] {
  const wrong: string[] = [];
  const [mainAt, keysAt] = [Date.parse(report.main.at), Date.parse(report.dataKeys.at)];
  const expected = (condition: (is: Happened, was: Happened, one: Person) => boolean) => ({
    must: drill.persons.filter((one) => condition(done, begun, one)),
    may: drill.persons.filter((one) => condition(begun, done, one)),
  });
  const compare = (name: string, list: readonly string[], { must, may }: ReturnType<typeof expected>) => {
    const ids = new Set(list.map((text) => text.split('/').at(-1) ?? ''));
    const allowed = new Set(may.map(({ id }) => id));
    const missing = must.filter(({ id }) => !ids.has(id)).length;
    const extra = [...ids].filter((id) => !allowed.has(id)).length;
    if (missing + extra > 0) wrong.push(`${name}: ${missing} missing, ${extra} too many`);
  };
  const isInMain = (is: Happened, was: Happened, one: Person) => is(one.created, mainAt) && !was(one.erased, mainAt);
  compare(
    'erasedAgain',
    report.erasedAgain,
    expected((is, was, one) => isInMain(is, was, one) && one.erased !== undefined),
  );
  compare(
    'withoutKey',
    report.withoutKey,
    expected((is, was, one) => isInMain(is, was, one) && !one.erased && !was(one.created, keysAt)),
  );
  compare(
    'ended',
    report.ended,
    expected(
      (is, was, one) =>
        isInMain(is, was, one) &&
        !one.erased &&
        is(one.created, keysAt) &&
        is(one.asked, mainAt) &&
        !was(one.answered, mainAt),
    ),
  );
  const keys = expected(
    (is, was, one) => !was(one.created, mainAt) && is(one.created, keysAt) && !was(one.erased, keysAt),
  );
  if (report.keysWithoutTransaction < keys.must.length || report.keysWithoutTransaction > keys.may.length)
    wrong.push(
      `keysWithoutTransaction: ${report.keysWithoutTransaction}, not ${keys.must.length} to ${keys.may.length}`,
    );
  const copied = temporal && drill.copied[temporal];
  const workflows = (condition: (is: Happened, was: Happened, one: Person, certain: boolean) => boolean) => {
    if (!copied) return { must: [], may: [] };
    const [from, to] = copied;
    const isOpen = (one: Person, certain: boolean) =>
      certain ? done(one.created, from) && !begun(one.erased, to) : begun(one.created, to) && !done(one.erased, from);
    return {
      must: drill.persons.filter((one) => isOpen(one, true) && condition(done, begun, one, true)),
      may: drill.persons.filter((one) => isOpen(one, false) && condition(begun, done, one, false)),
    };
  };
  compare(
    'withoutRecord',
    report.workflows.withoutRecord,
    workflows((_, was, one) => !was(one.created, mainAt)),
  );
  const [from = 0, to = 0] = copied ?? [];
  compare(
    'ahead',
    report.workflows.ahead,
    workflows((is, _, one, certain) => {
      const last = lastChange(one, certain ? from : to);
      return is(one.created, mainAt) && (certain ? (last?.[0] ?? 0) > mainAt : (last?.[1] ?? 0) + settleMs > mainAt);
    }),
  );
  compare(
    'behind',
    report.workflows.behind,
    workflows((is, was, one, certain) => {
      const last = lastChange(one, mainAt);
      // The record of an erased person keeps the time of its last change.
      if (!certain) return is(one.created, mainAt) && (last?.[1] ?? 0) + settleMs > from;
      return isInMain(is, was, one) && (last?.[0] ?? 0) > to + settleMs;
    }),
  );
  return wrong;
}
