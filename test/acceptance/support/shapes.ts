import type { Shape } from './body-shape';

// Copied by hand from SPEC, in its order.

const address: Shape = [
  ['zipCode', 'string', 'optional'],
  ['street', 'string', 'optional'],
  ['number', 'string', 'optional'],
  ['complement', 'string', 'optional'],
  ['district', 'string', 'optional'],
  ['city', 'string', 'optional'],
  ['state', 'string', 'optional'],
  ['country', 'string', 'optional'],
];

const phone: Shape = [
  ['countryCode', 'integer'],
  ['areaCode', 'integer', 'optional'],
  ['number', 'integer'],
  ['verified', 'boolean', 'optional'],
];

const card: Shape = [
  ['bin', 'string', 'optional'],
  ['last4', 'string', 'optional'],
  ['ownerDocument', 'string', 'optional'],
  ['ownerName', 'string', 'optional'],
];

/** GET /v1/transaction/{id}. */
export const transaction: Shape = [
  ['id', 'string'],
  ['createdAt', 'instant'],
  ['documentType', 'string'],
  ['document', 'string'],
  ['name', 'string', 'optional'],
  ['birthdate', 'date', 'optional'],
  ['mothersName', 'string', 'optional'],
  ['email', 'string', 'optional'],
  ['verifiedEmail', 'boolean'],
  ['sessionId', 'string', 'optional'],
  ['identifierId', 'string', 'optional'],
  ['endUserIp', 'string', 'optional'],
  ['channelId', 'string', 'optional'],
  ['address', address, 'optional'],
  ['phone', phone, 'optional'],
  ['identifierDate', 'string', 'optional'],
  ['referenceDate', 'instant'],
  ['type', 'integer'],
  ['genericFields', 'pairs', 'optional'],
  ['criterion', 'integer', 'optional'],
  ['card', card, 'optional'],
  ['secondaryDocumentType', 'string', 'optional'],
  ['secondaryDocument', 'string', 'optional'],
];

/** The transaction in GET …/all. */
export const transactionInAll: Shape = [...transaction, ['complements', 'empty list']];

/** An item of GET …/scores. */
export const score: Shape = [
  ['value', 'number'],
  ['reason', 'string'],
  ['createdAt', 'instant'],
];

/** An item of POST …/ratings. */
export const rating: Shape = [
  ['value', 'integer'],
  ['reason', 'string'],
  ['createdAt', 'instant'],
  ['relatedTo', 'strings'],
];

/** An item of POST …/insights. */
export const insight: Shape = [
  ['code', 'string'],
  ['description', 'string'],
  ['type', 'string'],
  ['category', 'string'],
  ['relevance', 'string'],
  ['relatedTo', 'strings'],
];

/** POST …/sms/tokens and its validation. */
export const smsToken: Shape = [
  ['status', 'string'],
  ['createdAt', 'instant'],
  ['type', 'string'],
];

/** The SMS token in GET …/all. */
export const smsTokenInAll: Shape = [
  ['status', 'string'],
  ['type', 'string'],
  ['createdAt', 'instant'],
  ['repliedAt', 'instant', 'optional'],
];

/** POST …/emails/tokens. */
export const emailToken: Shape = [
  ['status', 'string'],
  ['type', 'string'],
  ['createdAt', 'instant'],
  ['expirationTime', 'instant'],
];

/** GET …/emails/tokens. */
export const emailTokenRead: Shape = [
  ['status', 'string'],
  ['type', 'string'],
  ['createdAt', 'instant'],
  ['repliedAt', 'instant', 'optional'],
  ['expirationTime', 'instant'],
];

/** An item of GET …/sms/2fa. */
export const smsMessage: Shape = [
  ['text', 'string'],
  ['type', 'string'],
  ['status', 'string'],
  ['createdAt', 'instant'],
  ['smsSendLimit', 'integer'],
  ['expirationTime', 'instant'],
];

/** An item of GET …/emails/2fa. */
export const emailMessage: Shape = [
  ['text', 'string'],
  ['type', 'string'],
  ['status', 'string'],
  ['createdAt', 'instant'],
  ['expirationTime', 'instant'],
];

/** An item of GET …/whatsapps/2fa. */
export const whatsappMessage: Shape = [
  ['status', 'string'],
  ['createdAt', 'instantWithoutZone'],
  [
    'reply',
    [
      ['option', 'integer'],
      ['repliedAt', 'instant'],
    ],
    'optional',
  ],
  ['sendLimit', 'integer'],
  ['expirationTime', 'instant'],
  ['text', 'string'],
];

/** The members of RFC 9457, and `code` and `traceId` of this service. */
export const problem: Shape = [
  ['type', 'string'],
  ['title', 'string'],
  ['status', 'integer'],
  ['detail', 'string'],
  ['instance', 'string'],
  ['code', 'string'],
  ['traceId', 'string'],
];
