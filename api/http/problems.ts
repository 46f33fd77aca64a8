import { listEntriesPerTenant } from '../../domain/lists/list-entries';
import { optOutReleasesPerDay } from '../../domain/lists/opt-outs';
import { webhooksPerTenant } from '../../domain/webhooks/webhooks';
interface ProblemText {
  /** What is wrong. */
  title: string;
  /** What to do next, in at most two sentences. */
  detail: string;
}

/**
 * A problem with its status and texts. `retryAfterSeconds`: the default of the Retry-After header. Absent if the problem is a limit that
 * never resets, because waiting does not help.
 */
export type ProblemRow = ProblemText &
  (
    | { status: 400 | 421 | 401 | 403 | 404 | 405 | 409 | 410 | 412 | 413 | 415 | 422 | 500 }
    | { status: 429; retryAfterSeconds?: number }
    | { status: 503; retryAfterSeconds: number }
  );

const daySeconds = 86_400;

/** All problems of the API. The key of each problem is the `code` in the body of the error. */
export const problems = {
  malformed_json: { status: 400, title: 'The body is not valid JSON', detail: 'Send one JSON object in UTF-8.' },
  duplicate_field: {
    status: 400,
    title: 'A field appears twice',
    detail: 'Send each field once. `errors` lists the repeated field.',
  },
  body_too_deep: {
    status: 400,
    title: 'The body is nested too deeply',
    detail: 'Send at most 8 levels of objects and arrays.',
  },
  too_many_fields: {
    status: 400,
    title: 'The body has too many fields',
    detail: 'Send at most 200 fields and list items.',
  },
  unknown_field: {
    status: 400,
    title: 'The request has unknown fields',
    detail: 'Remove the fields listed in `errors`. Nothing was changed.',
  },
  validation_failed: {
    status: 400,
    title: 'The request is invalid',
    detail: 'Fix the fields listed in `errors` and send the request again. Nothing was changed.',
  },
  return_url_not_allowed: {
    status: 422,
    title: 'The return URL is not allowed',
    detail:
      'Use a URL that begins with an allowed return URL of this client. An operator can allow a URL with `npm run client -- allow-return-url`.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'The Idempotency-Key is invalid',
    detail: 'Send 1 to 255 visible ASCII characters, such as a UUID.',
  },
  host_invalid: {
    status: 400,
    title: 'The Host header is missing, repeated or invalid',
    detail: 'Send the header once, with the host and port of the service.',
  },
  host_not_allowed: {
    status: 421,
    title: 'The host name of the request is not allowed',
    detail: 'Use the host of PUBLIC_URL, or localhost. An operator can change HOST and PUBLIC_URL.',
  },
  unauthorized: {
    status: 401,
    title: 'The access token is missing or invalid',
    detail: 'Get an access token from POST /oauth2/token and send it as `Authorization: Bearer <access_token>`.',
  },
  credentials_invalid: {
    status: 401,
    title: 'The user name is unknown or the password is wrong',
    detail: 'In the body of POST /v1/authentication, `Username` is the client id and `Password` is its secret.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The access token does not have the required scope',
    detail:
      'Request an access token with the required scope. If this client does not have the scope, use another client.',
  },
  invalid_signature: {
    status: 403,
    title: 'The signature does not match',
    detail:
      'For Twilio, check the auth token of the account in the settings, and PUBLIC_URL. A gateway must report at the address that it got with the message.',
  },
  not_found: {
    status: 404,
    title: 'The path does not exist',
    detail: 'See /docs for the paths of this API.',
  },
  erased: {
    status: 410,
    title: 'The transaction was erased',
    detail:
      'Its data was erased on request, or its retention period has ended. The transaction can no longer be read or changed.',
  },
  transaction_not_found: {
    status: 404,
    title: 'The transaction does not exist',
    detail: 'Check the id. It is the `id` in the response of POST /v1/transaction.',
  },
  token_not_found: {
    status: 404,
    title: 'No code was requested',
    detail: 'Request a code first, with POST …/sms/tokens or POST …/emails/tokens.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not support this method',
    detail: 'Use one of the methods in the Allow header.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'The Idempotency-Key was used for another request',
    detail: 'The first request with this key had a different body, path or flow. Use a new key for a new request.',
  },
  reply_refused: {
    status: 409,
    title: 'The reply matches no open confirmation',
    detail:
      'The confirmation was answered or replaced, or it has expired. If you still need a reply, request a new confirmation.',
  },
  body_too_large: { status: 413, title: 'The body is too large', detail: 'Send at most 64 KiB.' },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not supported',
    detail: 'Send `Content-Type: application/json` in UTF-8, without Content-Encoding.',
  },
  phone_missing: {
    status: 422,
    title: 'The transaction has no phone',
    detail: 'Create a transaction with `phone`, or use e-mail.',
  },
  email_missing: {
    status: 422,
    title: 'The transaction has no e-mail address',
    detail: 'Create a transaction with `email`, or use another channel.',
  },
  email_not_verified: {
    status: 422,
    title: 'The e-mail address is not verified',
    detail: 'Confirm the address with a code by e-mail first, or create the transaction with `verifiedEmail: true`.',
  },
  destination_not_mobile: {
    status: 422,
    title: 'The phone is a landline',
    detail: 'A landline cannot receive messages. Create a transaction with a mobile number.',
  },
  card_missing: {
    status: 422,
    title: 'The transaction has no card',
    detail: 'Create a transaction with `card` to check a card.',
  },
  biometrics_not_found: {
    status: 404,
    title: 'The transaction has no submitted images',
    detail: 'Create a link with POST …/biometrics. Images exist only after the person has submitted them.',
  },
  biometrics_in_review: {
    status: 409,
    title: 'The images of this transaction are in review',
    detail: 'Wait for the decision before you create another link. GET …/all shows the decision.',
  },
  transaction_denied: {
    status: 409,
    title: 'The person denied the transaction',
    detail: 'Do not contact the person again in this transaction. If you must continue, create a new transaction.',
  },
  flow_running: {
    status: 409,
    title: 'A flow run uses this channel',
    detail: 'Continue or cancel the flow run at …/flows/runs/{runId}. Its `runId` is in this response.',
  },
  channel_busy: {
    status: 409,
    title: 'An open confirmation or link uses a channel of this flow',
    detail:
      'Wait until the confirmation or biometrics link has ended, then start the flow. `channel` says which channel is in use.',
  },
  run_limit_reached: {
    status: 429,
    title: 'The transaction has too many flow runs',
    detail: 'Create a new transaction for the person.',
  },
  run_not_found: {
    status: 404,
    title: 'The transaction has no such flow run',
    detail: 'Use the `runId` in the response of POST …/flows/{name}.',
  },
  run_ended: {
    status: 409,
    title: 'The flow run has ended',
    detail: 'GET …/flows/runs/{runId} shows how it ended. Start the flow again for a new run.',
  },
  nothing_to_answer: {
    status: 409,
    title: 'The flow run has no open code or question for this request',
    detail:
      'POST …/answer needs an open code, and POST …/resend needs an open code or question. `awaited` in GET …/flows/runs/{runId} shows what the flow run waits for.',
  },
  not_in_review: {
    status: 409,
    title: 'No images wait for a decision',
    detail:
      'A decision was already made, or the caller erased the images. GET /v1/reviews/{reviewId} shows the status.',
  },
  link_taken: {
    status: 403,
    title: 'The link was opened in another browser',
    detail: 'Continue in the browser in which the link was first opened, or request a new link.',
  },
  link_closed: {
    status: 410,
    title: 'The link is closed',
    detail:
      'It was used or replaced, it has expired, its images were erased, its flow run was canceled, or the person denied the transaction. Request a new link.',
  },
  consent_missing: {
    status: 422,
    title: 'The person has not given consent',
    detail: 'Record the consent before you send images.',
  },
  captures_missing: {
    status: 422,
    title: 'Images are missing',
    detail: 'Take the front and back of the document and the selfie before you submit.',
  },
  capture_limit_reached: {
    status: 422,
    title: 'Too many images were taken with this link',
    detail: 'Submit the images that you have, or request a new link.',
  },
  upload_not_found: {
    status: 404,
    title: 'The upload does not exist',
    detail:
      'The upload is finished, a newer upload replaced it, or it started more than an hour ago. Start a new upload.',
  },
  upload_offset: {
    status: 409,
    title: 'The chunk starts at the wrong offset',
    detail: 'Continue at the offset in `received`.',
  },
  image_rejected: {
    status: 422,
    title: 'The image cannot be used',
    detail: 'Take the image again. `reason` says what is wrong with it.',
  },
  images_busy: {
    status: 503,
    title: 'The service is busy with other uploads',
    detail: 'Send the same request again after the seconds in Retry-After.',
    retryAfterSeconds: 3,
  },
  upload_limit_reached: {
    status: 429,
    title: 'Too many images were sent for this transaction',
    detail: 'Wait for the seconds in Retry-After, then start the upload again.',
    retryAfterSeconds: 3_600,
  },
  cookie_missing: {
    status: 403,
    title: 'The browser sent no cookie',
    detail: 'Allow cookies for this address. Then load the page again and continue.',
  },
  image_url_expired: {
    status: 410,
    title: 'The image URL has expired',
    detail: 'Request new URLs with GET …/biometrics/document or GET …/biometrics/selfie.',
  },
  images_erased: {
    status: 410,
    title: 'The images were erased',
    detail:
      'If their retention period ended before a decision, decide the review as `Rejected` or `Inconclusive` first. Then create a new link to get new images.',
  },
  review_not_found: {
    status: 404,
    title: 'The review does not exist',
    detail: 'GET /v1/reviews lists the open reviews.',
  },
  link_limit_reached: {
    status: 429,
    title: 'The transaction has too many biometrics links',
    detail: 'Create a new transaction.',
  },
  flow_not_found: {
    status: 404,
    title: 'The flow does not exist',
    detail: 'GET /v1/flows lists the flows. GET /v1/flows?deleted=true also lists deleted flows.',
  },
  flow_limit_reached: {
    status: 422,
    title: 'The tenant has too many flows',
    detail: 'A tenant can add 1000 flows, and deleted flows count too. Add a version to an existing flow instead.',
  },
  flow_version_limit_reached: {
    status: 422,
    title: 'The flow has too many versions',
    detail:
      'A flow can have 1000 versions, and deleted versions count too. Add the definition as a flow with another name.',
  },
  flow_not_active: {
    status: 409,
    title: 'The flow has no active version',
    detail: 'Activate a version with POST /v1/flows/{name}/activate. Then start the flow.',
  },
  flow_version_not_found: {
    status: 404,
    title: 'The flow has no such version',
    detail: 'The version never existed or was deleted. GET /v1/flows/{name} lists the versions.',
  },
  flow_version_active: {
    status: 409,
    title: 'The version is active',
    detail:
      'Activate another version or roll back first. The active version can be deleted only if the flow has no other version.',
  },
  flow_no_earlier_version: {
    status: 409,
    title: 'There is no earlier version to roll back to',
    detail:
      'No other version was active earlier, or all versions that were active earlier are deleted. Activate the version that you want.',
  },
  flow_changed: {
    status: 412,
    title: 'The newest version of the flow is not the expected one',
    detail:
      'Nothing was saved, because another version was added meanwhile. Compare your flow with the newest version, then send the `digest` of the newest version as If-Match.',
  },
  flow_activation_changed: {
    status: 409,
    title: 'Another version was activated after you read the flow',
    detail:
      'Nothing was changed. Read `active` and `rollbackTo` of the flow again, then choose the version to activate.',
  },
  flow_reserved: {
    status: 409,
    title: 'The name is reserved',
    detail: 'The name belongs to a built-in flow or to a path of the API. Use another name for your flow.',
  },
  flow_invalid: {
    status: 422,
    title: 'The flow definition is invalid',
    detail: 'Fix all issues in `issues` and send the flow again. Nothing was saved.',
  },
  flows_busy: {
    status: 503,
    title: 'The service is busy with other flows of this tenant',
    detail:
      'Nothing was changed. Send the same request again after the seconds in Retry-After, and send fewer checks, drawings and changes of flows at once.',
    retryAfterSeconds: 2,
  },
  country_not_allowed: {
    status: 422,
    title: 'Messages to this country are not allowed',
    detail: 'The operator lists allowed countries in ALLOWED_COUNTRIES. Use e-mail, or ask the operator.',
  },
  destination_refused: {
    status: 422,
    title: 'The provider cannot reach this phone or mailbox',
    detail:
      'The phone or mailbox does not exist, is full, or cannot receive messages, or an earlier mail bounced. Ask the person to check it or to provide another one.',
  },
  destination_opted_out: {
    status: 422,
    title: 'The person has opted out of messages',
    detail: 'Nothing is sent on this channel until the person replies START. Use another channel.',
  },
  provider_refused: {
    status: 422,
    title: 'The provider rejected the message',
    detail:
      'Nothing was sent: the provider rejects this message, its sender or its country, but the phone or mailbox may be fine. Use another channel, and contact the operator.',
  },
  resend_too_soon: {
    status: 429,
    title: 'The last message was sent too recently',
    detail: 'Wait for the seconds in Retry-After, then send again.',
    retryAfterSeconds: 60,
  },
  send_limit_reached: {
    status: 429,
    title: 'This confirmation has reached its send limit',
    detail:
      'Use another channel, or wait for the seconds in Retry-After. After this time, the confirmation has expired, and you can request a new one.',
    retryAfterSeconds: 300,
  },
  transaction_send_limit_reached: {
    status: 429,
    title: 'This transaction has reached its send limit',
    detail: 'Create a new transaction.',
  },
  phone_daily_limit: {
    status: 429,
    title: 'This phone has reached its daily message limit',
    detail: 'Use e-mail, or wait for the seconds in Retry-After.',
    retryAfterSeconds: daySeconds,
  },
  email_daily_limit: {
    status: 429,
    title: 'This mailbox has reached its daily message limit',
    detail: 'Use the phone, or wait for the seconds in Retry-After.',
    retryAfterSeconds: daySeconds,
  },
  tenant_daily_limit: {
    status: 429,
    title: 'Your daily sending limit is reached',
    detail:
      'Wait for the seconds in Retry-After, or ask the operator to raise the limit in SENDING_LIMITS. The field `limit` of this response names the limit, such as `messagesPerDay`.',
    retryAfterSeconds: daySeconds,
  },
  prefix_blocked: {
    status: 429,
    title: 'Messages to this phone prefix are blocked',
    detail:
      'Too few messages to phones with this prefix were answered. Use e-mail, wait for the seconds in Retry-After, or remove the block with DELETE /v1/blocks/{blockId}.',
    retryAfterSeconds: daySeconds / 2,
  },
  destination_denied: {
    status: 422,
    title: 'The phone or mailbox is on your deny list',
    detail:
      'Nothing was sent. `deniedKind` says whether the phone, its prefix, its country, the mailbox or its domain is denied. Use another one, or remove the entry with DELETE /v1/lists/{entryId}.',
  },
  destination_not_messaged: {
    status: 404,
    title: 'Your tenant has sent no message to this phone or mailbox',
    detail:
      'Opt-outs can be looked up and released only where your tenant has sent a message on this channel. Messages of erased transactions do not count.',
  },
  not_opted_out: {
    status: 409,
    title: 'No opt-out stops your messages to this phone or mailbox',
    detail: 'The person has not opted out of this channel, has opted in again, or the opt-out is released already.',
  },
  opt_out_release_limit: {
    status: 429,
    title: 'Your tenant has released too many opt-outs today',
    detail: `A tenant can release ${optOutReleasesPerDay} opt-outs a day (UTC). Ask the persons to reply START instead, which has no limit.`,
    retryAfterSeconds: daySeconds,
  },
  person_denied: {
    status: 422,
    title: 'The person is on your deny list',
    detail:
      'The document, the IP address or its network is denied, so no transaction was created and nothing was sent. If this is wrong, find the entry with POST /v1/lists/search, and remove it.',
  },
  list_entry_not_found: {
    status: 404,
    title: 'The entry does not exist',
    detail: 'It may have expired. GET /v1/lists lists the entries.',
  },
  list_entry_conflict: {
    status: 409,
    title: 'The value is on the other list',
    detail: 'A value is on one list at most. Remove its entry `entryId` first, with DELETE /v1/lists/{entryId}.',
  },
  list_limit_reached: {
    status: 422,
    title: 'The lists have too many entries',
    detail: `A tenant can have ${listEntriesPerTenant} entries. Remove some, or deny a prefix, a country, a domain or a network in one entry.`,
  },
  phone_not_allowed: {
    status: 422,
    title: 'Messages to this phone number are not allowed',
    detail:
      'The number cannot exist in its country, or is a premium or service number. Create a transaction with another number.',
  },
  no_provider: {
    status: 422,
    title: 'No provider sends this message',
    detail:
      'Nothing was sent: the operator has no provider for this country, or none that receives replies to a question by SMS. Use another channel, and contact the operator.',
  },
  values_mismatch: {
    status: 422,
    title: 'The values are missing, or the code has none',
    detail:
      'If the flow has values, repeat in `values` those with which the flow run started. A code of a flow without values has none. The code was not checked, and no attempt was used.',
  },
  values_needed: {
    status: 422,
    title: 'The flow needs values',
    detail:
      'The flow shows values, such as an amount, and nothing was created. Create the transaction without a flow, then start the flow with `values`.',
  },
  block_not_found: {
    status: 404,
    title: 'The block does not exist',
    detail: 'Blocks end by themselves, so it may have ended. GET /v1/blocks lists the active blocks.',
  },
  brand_not_set: {
    status: 404,
    title: 'The tenant has no brand of its own',
    detail: 'A logo belongs to a brand. Set the brand with PUT /v1/brand first.',
  },
  brand_changed: {
    status: 412,
    title: 'The version of the brand is not the expected one',
    detail:
      'Nothing was saved, because the brand was changed meanwhile. Compare your brand with GET /v1/brand, then send its `version` as If-Match.',
  },
  messaging_not_found: {
    status: 404,
    title: 'The tenant has no messaging settings of its own',
    detail: 'The providers of the service send its messages. PUT /v1/messaging adds settings.',
  },
  webhook_not_found: {
    status: 404,
    title: 'The webhook does not exist',
    detail: 'GET /v1/webhooks lists the webhooks.',
  },
  webhook_limit_reached: {
    status: 422,
    title: 'There are too many webhooks',
    detail: `A tenant can have ${webhooksPerTenant} webhooks. Delete a webhook first, or let one webhook receive more types of events.`,
  },
  webhook_disabled: {
    status: 409,
    title: 'The webhook is disabled',
    detail: 'Enable it with PUT /v1/webhooks/{webhookId} first.',
  },
  delivery_not_found: {
    status: 404,
    title: 'The delivery does not exist',
    detail: 'GET /v1/webhooks/{webhookId}/deliveries lists the deliveries.',
  },
  delivery_waiting: {
    status: 409,
    title: 'The delivery is still waiting',
    detail:
      'The service sends the event at `nextAttemptAt`. Only a delivery in the state Delivered or Parked can be sent again.',
  },
  attempt_limit_reached: {
    status: 429,
    title: 'This transaction has no attempts left',
    detail: 'Too many codes were tried. Create a new transaction.',
  },
  analysis_limit_reached: {
    status: 429,
    title: 'The transaction has too many analyses',
    detail: 'GET …/scores and GET …/all return the results so far. For more analyses, create a new transaction.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    detail: 'Wait for the seconds in Retry-After. The RateLimit headers show the limit.',
    retryAfterSeconds: 1,
  },
  reads_busy: {
    status: 503,
    title: 'The service is busy with other lists, searches and exports of this tenant',
    detail: 'Send the same request again after the seconds in Retry-After, and send one such request at a time.',
    retryAfterSeconds: 2,
  },
  too_many_waiting: {
    status: 429,
    title: 'Too many requests wait for events',
    detail:
      'Close some event streams or requests with `wait`, and retry after the seconds in Retry-After. Webhooks do not count towards this limit.',
    retryAfterSeconds: 5,
  },
  analysis_failed: {
    status: 500,
    title: 'An exception occurred while analysing the transaction',
    detail:
      'Nothing was changed, so you can retry with a new Idempotency-Key. If the error occurs again, send the traceId to the operator.',
  },
  record_not_saved: {
    status: 500,
    title: 'The change could not be saved',
    detail:
      'The change was undone. Retry after 10 s with the same Idempotency-Key. If the error occurs again, send the traceId to the operator.',
  },
  data_key_missing: {
    status: 500,
    title: 'The data key of the transaction is missing',
    detail:
      'The transaction was not erased, but its data cannot be read. Ask the operator to restore the newest backup of the data keys.',
  },
  internal_error: {
    status: 500,
    title: 'An exception occurred while processing the request',
    detail:
      'Retry with the same Idempotency-Key; if the request changes webhooks or blocks, first list them, because the change may have been made. If the error occurs again, send the traceId to the operator.',
  },
  analysis_busy: {
    status: 503,
    title: 'Other analyses of this transaction are running',
    detail:
      'Nothing was changed. Retry after the seconds in Retry-After, with the same Idempotency-Key if you sent one.',
    retryAfterSeconds: 2,
  },
  not_assessed_yet: {
    status: 503,
    title: 'The transaction is not assessed yet',
    detail: 'The first assessment is still running. Retry after the seconds in Retry-After.',
    retryAfterSeconds: 2,
  },
  too_many_connections: {
    status: 503,
    title: 'The service has too many open connections',
    detail: 'Retry after the seconds in Retry-After, and send fewer requests at the same time.',
    retryAfterSeconds: 5,
  },
  service_unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    detail: 'Retry after the seconds in Retry-After, with the same Idempotency-Key if you sent one.',
    retryAfterSeconds: 2,
  },
} as const satisfies Record<string, ProblemRow>;

export type ProblemCode = keyof typeof problems;
