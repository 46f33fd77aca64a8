/** The exits of each kind of step that do not depend on its replies. A test compares them with the service. */
export const fixedExits = {
  token: ['Valid', 'Expired', 'Blocked', 'Failed'],
  reply: ['Expired', 'Failed'],
  biometrics: ['Approved', 'Rejected', 'Inconclusive', 'Expired', 'Abandoned', 'Canceled', 'Undecided'],
  notify: ['Delivered', 'Failed'],
} as const;
