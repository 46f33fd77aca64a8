export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  scope: string;
  /** A valid body, if the endpoint has one. */
  body?: object;
}

const transactionPath = '/v1/transaction/{id}';
const readScope = 'transaction:read';
const analysisScope = 'analysis:run';
const sendScope = 'confirmation:send';
const [imagesScope, eraseScope, reviewScope] = ['biometrics:images', 'biometrics:erase', 'biometrics:review'];
const flowPath = '/v1/flows/{name}';
const [readFlowsScope, writeFlowsScope] = ['flows:read', 'flows:write'];
const validateFields = { scope: 'confirmation:validate', body: { value: '000000' } };

/** Written by hand: the endpoints of SPEC and some others. Numbers in comments are endpoints of SPEC. */
export const endpoints: readonly Endpoint[] = [
  // 1 to 3
  {
    method: 'POST',
    path: '/v1/transaction',
    scope: 'transaction:write',
    body: { documentType: 'CPF', document: '52998224725' },
  },
  { method: 'GET', path: transactionPath, scope: readScope },
  { method: 'GET', path: `${transactionPath}/all`, scope: readScope },
  // 4 to 6
  { method: 'POST', path: `${transactionPath}/insights`, scope: analysisScope },
  { method: 'POST', path: `${transactionPath}/ratings`, scope: analysisScope },
  { method: 'GET', path: `${transactionPath}/card-check`, scope: analysisScope },
  // 7 to 14
  { method: 'POST', path: `${transactionPath}/sms/tokens`, scope: sendScope },
  { method: 'POST', path: `${transactionPath}/sms/tokens/validate`, ...validateFields },
  { method: 'GET', path: `${transactionPath}/sms/2fa`, scope: readScope },
  { method: 'POST', path: `${transactionPath}/emails/tokens`, scope: sendScope },
  { method: 'GET', path: `${transactionPath}/emails/tokens`, scope: readScope },
  { method: 'POST', path: `${transactionPath}/emails/2fa`, scope: sendScope },
  { method: 'GET', path: `${transactionPath}/emails/2fa`, scope: readScope },
  { method: 'GET', path: `${transactionPath}/whatsapps/2fa`, scope: readScope },
  // 15 to 17
  { method: 'POST', path: `${transactionPath}/biometrics`, scope: 'biometrics:link' },
  { method: 'GET', path: `${transactionPath}/biometrics/document`, scope: imagesScope },
  { method: 'GET', path: `${transactionPath}/biometrics/selfie`, scope: imagesScope },
  // Not in SPEC
  { method: 'DELETE', path: `${transactionPath}/biometrics/images`, scope: eraseScope },
  { method: 'GET', path: `${transactionPath}/biometrics/audit`, scope: eraseScope },
  { method: 'GET', path: '/v1/reviews', scope: reviewScope },
  { method: 'GET', path: '/v1/reviews/{reviewId}', scope: reviewScope },
  {
    method: 'POST',
    path: '/v1/reviews/{reviewId}/decision',
    scope: reviewScope,
    body: { status: 'Approved', reason: 'as it should be' },
  },
  { method: 'GET', path: `${transactionPath}/scores`, scope: readScope },
  { method: 'POST', path: `${transactionPath}/scores`, scope: analysisScope },
  { method: 'GET', path: `${transactionPath}/scores/explanation`, scope: readScope },
  { method: 'POST', path: `${transactionPath}/sms/2fa`, scope: sendScope },
  { method: 'POST', path: `${transactionPath}/whatsapps/2fa`, scope: sendScope },
  { method: 'POST', path: `${transactionPath}/emails/tokens/validate`, ...validateFields },
  // Flows, not in SPEC
  { method: 'GET', path: '/v1/flows', scope: readFlowsScope },
  { method: 'GET', path: '/v1/flows/schema', scope: readFlowsScope },
  {
    method: 'PUT',
    path: flowPath,
    scope: writeFlowsScope,
    body: { start: 'end', steps: { end: { kind: 'outcome', outcome: 'Done' } } },
  },
  { method: 'GET', path: flowPath, scope: readFlowsScope },
  { method: 'GET', path: `${flowPath}/versions/{version}`, scope: readFlowsScope },
  { method: 'POST', path: `${flowPath}/activate`, scope: writeFlowsScope, body: { version: 1 } },
  { method: 'POST', path: `${flowPath}/rollback`, scope: writeFlowsScope },
  { method: 'DELETE', path: `${flowPath}/versions/{version}`, scope: writeFlowsScope },
  { method: 'GET', path: `${flowPath}/audit`, scope: readFlowsScope },
  // Blocks of phone prefixes, not in SPEC
  { method: 'GET', path: '/v1/blocks', scope: 'blocks:manage' },
  { method: 'DELETE', path: '/v1/blocks/{blockId}', scope: 'blocks:manage' },
  // The brand, not in SPEC
  { method: 'GET', path: '/v1/brand', scope: 'brand:read' },
  { method: 'PUT', path: '/v1/brand', scope: 'brand:write', body: { name: 'Acme', languages: ['en'] } },
  { method: 'POST', path: '/v1/brand/check', scope: 'brand:read', body: { name: 'Acme', languages: ['en'] } },
  { method: 'PUT', path: '/v1/brand/logo', scope: 'brand:write', body: { image: 'AAAA' } },
  { method: 'DELETE', path: '/v1/brand/logo', scope: 'brand:write' },
  // Counts of messages, not in SPEC
  { method: 'GET', path: '/v1/conversion', scope: 'messages:read' },
  // Opt-outs, not in SPEC
  {
    method: 'POST',
    path: '/v1/opt-outs/search',
    scope: 'optouts:manage',
    body: { channel: 'email', email: 'maria@example.com' },
  },
  {
    method: 'POST',
    path: '/v1/opt-outs/release',
    scope: 'optouts:manage',
    body: { channel: 'email', email: 'maria@example.com', reason: 'asked by phone' },
  },
  // Deny and allow lists, not in SPEC
  { method: 'GET', path: '/v1/lists', scope: 'lists:manage' },
  {
    method: 'POST',
    path: '/v1/lists',
    scope: 'lists:manage',
    body: { list: 'deny', kind: 'domain', domain: 'denied.example', reason: 'as it should be' },
  },
  {
    method: 'POST',
    path: '/v1/lists/search',
    scope: 'lists:manage',
    body: { kind: 'domain', domain: 'denied.example' },
  },
  { method: 'DELETE', path: '/v1/lists/{entryId}', scope: 'lists:manage' },
  // Providers of messages, not in SPEC
  { method: 'GET', path: '/v1/providers', scope: 'messaging:manage' },
  { method: 'GET', path: '/v1/messaging', scope: 'messaging:manage' },
  {
    method: 'PUT',
    path: '/v1/messaging',
    scope: 'messaging:manage',
    body: { providers: {}, channels: {} },
  },
  { method: 'DELETE', path: '/v1/messaging', scope: 'messaging:manage' },
  // For the Temporal UI, not in SPEC
  { method: 'POST', path: '/v1/codec/decode', scope: 'operator:decode', body: { payloads: [] } },
  { method: 'POST', path: '/v1/codec/session', scope: 'operator:decode' },
];
