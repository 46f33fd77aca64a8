interface Payload {
  value: unknown;
  issues: readonly { path?: readonly unknown[] | undefined }[];
}

/**
 * The arguments of `refine` for a rule about one field of an object that also reads other fields. Such a rule runs even if fields that it
 * does not read are wrong, so one response has all errors. (By default, zod skips it. After an issue with `abort: true`, zod always skips
 * it.) `reads`: the names of all fields that the rule reads. `issueOf`: what is wrong with the field; undefined if nothing is.
 */
export const dependentRule = <Input extends object>(
  field: keyof Input & string,
  reads: readonly (keyof Input & string)[],
  issueOf: (input: Input) => string | undefined,
): [
  isRight: (input: Input) => boolean,
  {
    path: PropertyKey[];
    error: (issue: { input?: unknown }) => string | undefined;
    when: (payload: Payload) => boolean;
  },
] => {
  const readNames: readonly unknown[] = reads;
  return [
    (input) => issueOf(input) === undefined,
    {
      path: [field],
      error: ({ input }) => issueOf(input as Input),
      when: ({ value, issues }) =>
        typeof value === 'object' && value !== null && !issues.some(({ path }) => readNames.includes(path?.[0])),
    },
  ];
};
