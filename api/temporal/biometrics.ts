import { capturedLink, takeStep } from '../../domain/biometrics/capture';
import { expireLink } from '../../domain/biometrics/link';
import type { TransactionState } from '../../domain/state';
import * as contract from '../../workflows/contract';
import { Problem } from '../problem';
import type { FoundLink } from '../reader';
import type { OpenedLink, Target, Transactions } from '../transactions';
import { judgeDecision, judgeErasure, judgeLink, judgeStep } from './certain-refusals';
import { readState, type ReadDependencies } from './read-state';
import type { Told } from './tell-transaction';

/** How the transactions' client tells: with an update id of the idempotency key, and a digest of the request. */
export interface Telling {
  tell: <Answer, Asked extends contract.Fingerprinted>(target: Target, told: Told<Answer, Asked>) => Promise<Answer>;
  updateIdOf: (target: Target, key: string | undefined) => string;
  print: (target: Target, ...words: string[]) => string;
}

type Written = 'requestBiometrics' | 'takeBiometricsStep' | 'decideBiometrics' | 'eraseBiometrics';

/** What the API tells a transaction about its biometrics links. */
export function tellBiometrics({ tell, updateIdOf, print }: Telling): Pick<Transactions, Written> {
  const keyed = (target: Target, key: string | undefined, ...words: string[]) => ({
    fingerprint: print(target, ...words),
    keyed: key !== undefined,
  });
  return {
    requestBiometrics: (target, proposal, key) => {
      const { name = '', birthdate = '', identifierDate = '', channels } = proposal;
      const said = keyed(target, key, 'link', JSON.stringify([name, birthdate, identifierDate, channels]));
      return tell(target, {
        update: contract.requestBiometrics,
        updateId: updateIdOf(target, key),
        asked: { ...proposal, ...said },
        judge: judgeLink(proposal),
      });
    },
    takeBiometricsStep: (target, step) => {
      const { biometricsId, owner, ...taken } = step;
      // Pages repeat themselves, and so could anybody else: a step that was taken is answered by Temporal, without an event.
      const updateId = print(target, 'page', biometricsId, owner, JSON.stringify(taken));
      const asked = { ...step, ...keyed(target, undefined, 'step') };
      const done = (state: TransactionState, now: string) => {
        const next = takeStep(state, biometricsId, taken, owner, now);
        return 'biometrics' in next && next.state === state ? next.biometrics : undefined;
      };
      return tell(target, { update: contract.takeBiometricsStep, updateId, asked, judge: judgeStep(step), done });
    },
    decideBiometrics: (target, decision, key) => {
      const { biometricsId, status, by, reason } = decision;
      const said = keyed(target, key, 'decide', JSON.stringify([biometricsId, status, by, reason]));
      const told = { asked: { ...decision, ...said }, judge: judgeDecision(decision) };
      return tell(target, { update: contract.decideBiometrics, updateId: updateIdOf(target, key), ...told });
    },
    eraseBiometrics: (target, by, key) => {
      const told = { asked: { by, ...keyed(target, key, 'erase', by) }, judge: judgeErasure };
      return tell(target, { update: contract.eraseBiometrics, updateId: updateIdOf(target, key), ...told });
    },
  };
}

/** A record as it is now: a link whose time is over is told as over, whether or not its timer has fired. */
const current = (stored: TransactionState) => expireLink(stored, new Date().toISOString());

const unavailable = () => {
  throw new Problem('service_unavailable');
};

function opened(found: FoundLink | undefined): OpenedLink | undefined {
  if (!found) return undefined;
  const state = current(found.state);
  const biometrics = state.biometrics?.find(({ id }) => id === found.biometricsId);
  return biometrics && { state, biometrics };
}

type Read = 'readCaptured' | 'readLink' | 'listReviews' | 'readReview';

/** What the API reads of biometrics links. */
export function readBiometrics(parts: ReadDependencies): Pick<Transactions, Read> {
  const { reader } = parts;
  return {
    readCaptured: async (target) => {
      const state = current((await readState(parts, target)).state);
      const erased = state.biometrics?.some(({ erasedAt }) => erasedAt !== undefined);
      return capturedLink(state) ?? (erased ? 'erased' : undefined);
    },
    readLink: async (tokenHash) => opened(await reader.link({ tokenHash }).catch(unavailable)),
    listReviews: (tenant, page) => reader.reviews(tenant, page).catch(unavailable),
    readReview: async (tenant, id) => opened(await reader.link({ tenant, id }).catch(unavailable)),
  };
}
