/** For each kind of step, the exits that do not depend on its replies. A test compares these exits with those of the service. */
export const fixedExits = {
  token: ['Valid', 'Expired', 'Blocked', 'Failed'],
  reply: ['Expired', 'Failed'],
  biometrics: ['Approved', 'Rejected', 'Inconclusive', 'Expired', 'Abandoned', 'Canceled', 'Undecided'],
  notify: ['Delivered', 'Failed'],
} as const;
