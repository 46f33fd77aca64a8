interface ProblemText {
  title: string;
  /** What happened and what to do next. */
  detail: string;
}

/** Every 429 and 503 has the seconds to wait when nothing better is known. */
export type ProblemRow = ProblemText &
  (
    | { status: 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 500 }
    | { status: 429 | 503; retryAfterSeconds: number }
  );

const day = 86_400;

/**
 * Every way in which a request is answered without success: the only place with status numbers of failures. One table,
 * however long it grows: split, two of its codes could mean the same.
 */
export const problems = {
  malformed_json: { status: 400, title: 'The body is not JSON', detail: 'Send one JSON object in UTF-8.' },
  duplicate_field: {
    status: 400,
    title: 'A field is repeated',
    detail: 'Send each field once. `errors` names the repeated one.',
  },
  body_too_deep: {
    status: 400,
    title: 'The body is nested too deeply',
    detail: 'Send at most 8 levels of objects and arrays.',
  },
  too_many_fields: { status: 400, title: 'The body has too many fields', detail: 'Send at most 200 fields.' },
  unknown_field: {
    status: 400,
    title: 'The request has unknown fields',
    detail: 'Remove the fields listed in `errors`. Nothing was changed.',
  },
  validation_failed: {
    status: 400,
    title: 'The request is not valid',
    detail: 'Correct the fields listed in `errors` and send it again. Nothing was changed.',
  },
  idempotency_key_invalid: {
    status: 400,
    title: 'The Idempotency-Key is not valid',
    detail: 'Send 1 to 255 visible ASCII characters, such as a UUID.',
  },
  unauthorized: {
    status: 401,
    title: 'The access token is missing or was rejected',
    detail: 'Get a token from POST /oauth2/token and send it as `Authorization: Bearer <token>`.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The access token does not allow this',
    detail:
      'Request a token with the scope in the WWW-Authenticate header. If the client does not have it, use a client that has it.',
  },
  invalid_signature: {
    status: 403,
    title: 'The signature is invalid',
    detail: 'The Twilio signature does not match. Check TWILIO_AUTH_TOKEN and PUBLIC_URL.',
  },
  not_found: {
    status: 404,
    title: 'The path does not exist',
    detail: 'See /docs for the paths of this service.',
  },
  transaction_not_found: {
    status: 404,
    title: 'The transaction does not exist',
    detail: 'Check the id; it is the `id` in the answer to POST /v1/transaction.',
  },
  token_not_found: {
    status: 404,
    title: 'No token was requested',
    detail: 'Request a token with a POST first.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path has no such method',
    detail: 'Use one of the methods in the Allow header.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'The Idempotency-Key was used for another request',
    detail: 'This key was used for a different request (body, path or flow). Use a new key for a new request.',
  },
  reply_refused: {
    status: 409,
    title: 'No open request matches this reply',
    detail: 'It came too late, or it was already recorded.',
  },
  body_too_large: { status: 413, title: 'The body is too large', detail: 'Send at most 64 KiB.' },
  unsupported_media_type: {
    status: 415,
    title: 'The media type is not supported',
    detail: 'Send `Content-Type: application/json` in UTF-8, without content encoding.',
  },
  phone_missing: {
    status: 422,
    title: 'The transaction has no phone',
    detail: 'Create a transaction with `phone` to send to a phone.',
  },
  email_missing: {
    status: 422,
    title: 'The transaction has no e-mail address',
    detail: 'Create a transaction with `email` to send mails.',
  },
  email_not_verified: {
    status: 422,
    title: 'The e-mail address is not verified',
    detail: 'Confirm it with an e-mail token first, or create the transaction with `verifiedEmail: true`.',
  },
  destination_not_mobile: {
    status: 422,
    title: 'The phone cannot receive messages',
    detail: 'It is a landline. Create a transaction with a mobile number.',
  },
  card_missing: {
    status: 422,
    title: 'The transaction has no card',
    detail: 'Create a transaction with `card` to have a card checked.',
  },
  biometrics_not_found: {
    status: 404,
    title: 'There are no biometrics',
    detail: 'Ask for a link with POST …/biometrics first; images are there once the person has handed them in.',
  },
  biometrics_in_review: {
    status: 409,
    title: 'The images of this transaction are being reviewed',
    detail: 'Wait for the decision, which /all shows, before you ask for another link.',
  },
  flow_running: {
    status: 409,
    title: 'A flow that is running uses this channel',
    detail: 'Speak to its run, by …/flows/runs/{runId} with the `runId` of this answer, or cancel it there first.',
  },
  channel_busy: {
    status: 409,
    title: 'A confirmation on a channel of this flow is open',
    detail: 'Wait until the confirmation on `channel`, or the biometrics link, is closed. Then start the flow.',
  },
  run_limit_reached: {
    status: 409,
    title: 'The transaction has reached its limit of flow runs',
    detail: 'Create another transaction for the person.',
  },
  run_not_found: {
    status: 404,
    title: 'The transaction has no such run',
    detail: 'Use the runId that starting the flow answered.',
  },
  run_ended: {
    status: 409,
    title: 'The run has ended',
    detail: 'GET …/flows/runs/{runId} shows how it ended; start the flow again for another run.',
  },
  nothing_to_answer: {
    status: 409,
    title: 'The run does not wait for this',
    detail: '`awaited` of GET …/flows/runs/{runId} shows what it waits for.',
  },
  not_in_review: {
    status: 409,
    title: 'No images wait for a decision',
    detail:
      'The decision was made already, or the images were erased before it. GET /v1/reviews/{reviewId} shows the decision.',
  },
  link_taken: {
    status: 403,
    title: 'Another browser has opened this link',
    detail: 'Continue in the browser that opened it first, or request a new link.',
  },
  link_closed: {
    status: 410,
    title: 'The link is closed',
    detail: 'It was used, it expired, a newer one took its place, or its images were erased. Ask for a new link.',
  },
  consent_missing: {
    status: 422,
    title: 'The person has not consented',
    detail: 'Record the consent before you send images.',
  },
  captures_missing: {
    status: 422,
    title: 'Images are missing',
    detail: 'Take front and back of the document and the selfie before you submit.',
  },
  capture_limit_reached: {
    status: 422,
    title: 'Too many images were taken with this link',
    detail: 'Submit the images that are there, or ask for a new link.',
  },
  upload_not_found: {
    status: 404,
    title: 'The upload does not exist',
    detail: 'It is finished, or nothing was sent for an hour. Start a new one.',
  },
  upload_offset: {
    status: 409,
    title: 'The chunk does not follow what was received',
    detail: 'Continue at `received`.',
  },
  image_rejected: {
    status: 422,
    title: 'The image cannot be used',
    detail: 'Take it again; `reason` tells what is wrong with it.',
  },
  images_busy: {
    status: 503,
    title: 'Too many images are being processed',
    detail: 'Send the same again after the seconds in Retry-After.',
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
    detail: 'Allow cookies for this address, load the page again, and open the link then.',
  },
  image_link_expired: {
    status: 410,
    title: 'The address of the image has expired',
    detail: 'Ask for new addresses with GET …/biometrics/document or …/selfie.',
  },
  images_erased: {
    status: 410,
    title: 'The images were deleted',
    detail:
      'They expired or were erased on request; the audit log says when. Ask for another link if you need images; a review that still waits can be decided, but not approved.',
  },
  review_not_found: {
    status: 404,
    title: 'The review does not exist',
    detail: 'GET /v1/reviews lists the open reviews.',
  },
  link_limit_reached: {
    status: 429,
    title: 'The transaction has reached its limit of biometrics links',
    detail: 'Create a new transaction.',
    retryAfterSeconds: day,
  },
  flow_not_found: {
    status: 404,
    title: 'The flow does not exist',
    detail: 'GET /v1/flows lists all flows, and with deleted=true also the deleted ones.',
  },
  flow_not_active: {
    status: 409,
    title: 'No version of this flow is active',
    detail: 'Activate a version with POST /v1/flows/{name}/activate, then start it.',
  },
  flow_version_not_found: {
    status: 404,
    title: 'The flow has no such version',
    detail: 'It never existed, or it was deleted. GET /v1/flows/{name} lists the versions.',
  },
  flow_version_active: {
    status: 409,
    title: 'The version is active',
    detail: 'Activate another version first, or roll back. To take the flow out of service, delete the others first.',
  },
  flow_no_earlier_version: {
    status: 409,
    title: 'There is no earlier version',
    detail: 'No other version was active before, or it was deleted. Activate the version that you want.',
  },
  flow_reserved: {
    status: 409,
    title: 'The name belongs to the service',
    detail: 'Flows of the code change with a deployment. Use another name for a flow of your own.',
  },
  flow_invalid: {
    status: 422,
    title: 'The flow definition is invalid',
    detail: 'Fix the problems listed in `issues` and send it again. Nothing was saved.',
  },
  country_not_allowed: {
    status: 422,
    title: 'Messages to this country are not allowed',
    detail: 'The operator allows countries with ALLOWED_COUNTRIES. Use e-mail, or ask the operator.',
  },
  destination_refused: {
    status: 422,
    title: 'The provider does not reach this destination',
    detail: 'The phone or address does not exist or cannot receive messages. Check it with the person.',
  },
  destination_opted_out: {
    status: 422,
    title: 'The person wants no messages',
    detail: 'They opted out on this channel and can opt in by replying START. Use another channel.',
  },
  provider_refused: {
    status: 422,
    title: 'The provider refused the message',
    detail: 'Nothing was sent. The provider code gives the reason.',
  },
  resend_too_soon: {
    status: 429,
    title: 'A message was sent a moment ago',
    detail: 'Wait for the seconds in Retry-After, then ask again.',
    retryAfterSeconds: 60,
  },
  send_limit_reached: {
    status: 429,
    title: 'This confirmation has sent all its messages',
    detail: 'Wait until it expires (Retry-After), or use another channel.',
    retryAfterSeconds: 300,
  },
  transaction_send_limit_reached: {
    status: 429,
    title: 'This transaction has sent all its messages',
    detail: 'Create a new transaction.',
    retryAfterSeconds: day,
  },
  phone_daily_limit: {
    status: 429,
    title: 'This phone was sent all its messages of the day',
    detail: 'Use another channel, or wait for the seconds in Retry-After.',
    retryAfterSeconds: day,
  },
  email_daily_limit: {
    status: 429,
    title: 'This mailbox was sent all its messages of the day',
    detail: 'Use another channel, or wait for the seconds in Retry-After.',
    retryAfterSeconds: day,
  },
  attempt_limit_reached: {
    status: 429,
    title: 'This transaction has no attempts left',
    detail: 'Too many codes were tried. Create a new transaction.',
    retryAfterSeconds: day,
  },
  analysis_limit_reached: {
    status: 429,
    title: 'The transaction has reached its limit of analyses',
    detail: 'GET …/scores and GET …/all return the results so far. Create a new transaction for more.',
    retryAfterSeconds: day,
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    detail: 'Send fewer requests per second; see the RateLimit headers.',
    retryAfterSeconds: 1,
  },
  analysis_failed: {
    status: 500,
    title: 'An exception occurred while analysing the transaction',
    detail: 'The transaction did not change. Send the traceId to the operator; retry with a new Idempotency-Key.',
  },
  internal_error: {
    status: 500,
    title: 'An exception occurred while processing the request',
    detail: 'Send the traceId to the operator. A retry with the same Idempotency-Key is safe.',
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
    detail: 'The first assessment is running. Retry after the seconds in Retry-After.',
    retryAfterSeconds: 2,
  },
  service_unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    detail: 'Retry after the seconds in Retry-After, with the same Idempotency-Key if you sent one.',
    retryAfterSeconds: 2,
  },
} as const satisfies Record<string, ProblemRow>;

export type ProblemCode = keyof typeof problems;
