/**
 * The exits that a step always has. `token` and `reply`: the exits of a step of the kind `confirm`, by the value of its field `ask`.
 * `biometrics` and `notify`: the exits of a step of this kind. A test compares these exits with those of the service.
 */
export const fixedExits = {
  token: ['Valid', 'Expired', 'Blocked', 'Failed'],
  reply: ['Expired', 'Failed'],
  biometrics: ['Approved', 'Rejected', 'Inconclusive', 'Expired', 'Abandoned', 'Canceled', 'Undecided'],
  notify: ['Delivered', 'Failed'],
  /** Of a step of the kind `confirm` with the field `deliverWithinSeconds`. */
  deliverWithin: ['Undelivered'],
} as const;
