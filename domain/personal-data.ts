import type { Biometrics } from './biometrics/biometrics';
import type { Confirmation } from './confirmation';
import type { FlowRun } from './flows/run';
import type { TransactionState } from './state';

/* The data of a person, which the person may ask for. Secrets and settings of the caller are left out. */

const confirmationData = ({ digest: _digest, settings, ...confirmation }: Confirmation) => ({
  ...confirmation,
  name: settings.name,
  channel: settings.channel,
});

const linkData = ({ tokenHash: _hash, owner: _owner, facePolicy: _policy, ...link }: Biometrics) => link;

const runData = ({ plan: _plan, ...run }: FlowRun) => run;

/** Everything that the record of a transaction has about the person. */
export function personalData(state: TransactionState) {
  const { policy: _policy, responses: _responses, confirmations, biometrics = [], runs = [], ...rest } = state;
  return {
    ...rest,
    confirmations: confirmations.map(confirmationData),
    biometrics: biometrics.map(linkData),
    runs: runs.map(runData),
  };
}
