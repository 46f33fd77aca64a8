import type { RunView } from '../../../domain/flows/view-run';
import { biometricsPath, biometricsToken } from '../../../platform/links';
import type { Call } from '../../http/route';

/** Returns the body of a run. If it waits for images, the body has the URL of the biometrics link. */
export function runBody({ dependencies, tenant, id }: Pick<Call, 'dependencies' | 'tenant' | 'id'>, run: RunView) {
  const { awaited } = run;
  if (awaited?.kind !== 'images') return run;
  const { biometricsId, ...otherFields } = awaited;
  const path = biometricsPath(biometricsToken(dependencies.keys, { tenant, transactionId: id, biometricsId }));
  return { ...run, awaited: { ...otherFields, biometricsId, url: new URL(path, dependencies.config.PUBLIC_URL).href } };
}

/** Like runBody, and adds the run to the log line of the request. */
export function loggedRunBody(call: Pick<Call, 'dependencies' | 'tenant' | 'id' | 'logRun'>, run: RunView) {
  call.logRun(run);
  return runBody(call, run);
}
