/** Endpoints for callers, written by hand from SPEC section 4 (numbered) and our own. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  scope: string;
  /** A valid body, if the endpoint has one. */
  body?: object;
}

const id = '/v1/transaction/{id}';
const read = 'transaction:read';
const run = 'analysis:run';
const send = 'confirmation:send';
const [images, erase, review] = ['biometrics:images', 'biometrics:erase', 'biometrics:review'];
const flow = '/v1/flows/{name}';
const [readFlows, writeFlows] = ['flows:read', 'flows:write'];
const validate = { scope: 'confirmation:validate', body: { value: '000000' } };

export const endpoints: readonly Endpoint[] = [
  // 1 to 3
  {
    method: 'POST',
    path: '/v1/transaction',
    scope: 'transaction:write',
    body: { documentType: 'CPF', document: '52998224725' },
  },
  { method: 'GET', path: id, scope: read },
  { method: 'GET', path: `${id}/all`, scope: read },
  // 4 to 6
  { method: 'POST', path: `${id}/insights`, scope: run },
  { method: 'POST', path: `${id}/ratings`, scope: run },
  { method: 'GET', path: `${id}/card-check`, scope: run },
  // 7 to 14
  { method: 'POST', path: `${id}/sms/tokens`, scope: send },
  { method: 'POST', path: `${id}/sms/tokens/validate`, ...validate },
  { method: 'GET', path: `${id}/sms/2fa`, scope: read },
  { method: 'POST', path: `${id}/emails/tokens`, scope: send },
  { method: 'GET', path: `${id}/emails/tokens`, scope: read },
  { method: 'POST', path: `${id}/emails/2fa`, scope: send },
  { method: 'GET', path: `${id}/emails/2fa`, scope: read },
  { method: 'GET', path: `${id}/whatsapps/2fa`, scope: read },
  // 15 to 17
  { method: 'POST', path: `${id}/biometrics`, scope: 'biometrics:link' },
  { method: 'GET', path: `${id}/biometrics/document`, scope: images },
  { method: 'GET', path: `${id}/biometrics/selfie`, scope: images },
  // Our own
  { method: 'DELETE', path: `${id}/biometrics/images`, scope: erase },
  { method: 'GET', path: `${id}/biometrics/audit`, scope: erase },
  { method: 'GET', path: '/v1/reviews', scope: review },
  { method: 'GET', path: '/v1/reviews/{reviewId}', scope: review },
  {
    method: 'POST',
    path: '/v1/reviews/{reviewId}/decision',
    scope: review,
    body: { status: 'Approved', reason: 'as it should be' },
  },
  { method: 'GET', path: `${id}/scores`, scope: read },
  { method: 'POST', path: `${id}/scores`, scope: run },
  { method: 'GET', path: `${id}/scores/explanation`, scope: read },
  { method: 'POST', path: `${id}/sms/2fa`, scope: send },
  { method: 'POST', path: `${id}/whatsapps/2fa`, scope: send },
  { method: 'POST', path: `${id}/emails/tokens/validate`, ...validate },
  // Flows
  { method: 'GET', path: '/v1/flows', scope: readFlows },
  { method: 'GET', path: '/v1/flows/schema', scope: readFlows },
  {
    method: 'PUT',
    path: flow,
    scope: writeFlows,
    body: { start: 'end', steps: { end: { kind: 'outcome', outcome: 'Done' } } },
  },
  { method: 'GET', path: flow, scope: readFlows },
  { method: 'GET', path: `${flow}/versions/{version}`, scope: readFlows },
  { method: 'POST', path: `${flow}/activate`, scope: writeFlows, body: { version: 1 } },
  { method: 'POST', path: `${flow}/rollback`, scope: writeFlows },
  { method: 'DELETE', path: `${flow}/versions/{version}`, scope: writeFlows },
  { method: 'GET', path: `${flow}/audit`, scope: readFlows },
];

/** Rows for `it.each`, named by method and path. */
export const rows = (filter: (endpoint: Endpoint) => boolean = () => true): [string, Endpoint][] =>
  endpoints.filter(filter).map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]);

export const isTransactionPath = ({ path }: Endpoint) => path.includes('{id}');
