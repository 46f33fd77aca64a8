/** The tags, and which paths belong to each. The first tag whose pattern matches a path is the tag of this path. */
const tags = [
  { name: 'SMS', description: 'Codes and questions by SMS.', paths: /\/sms\// },
  { name: 'E-mail', description: 'Codes and questions by e-mail.', paths: /\/emails\// },
  { name: 'WhatsApp', description: 'Questions on WhatsApp.', paths: /\/whatsapps\// },
  {
    name: 'Analyses',
    description: 'Scores, ratings and insights about a transaction.',
    paths: /\/(?:insights|ratings|card-check|scores)/,
  },
  {
    name: 'Biometrics',
    description: 'Images of a document and a face, and their reviews.',
    paths: /\/(?:biometrics|reviews)/,
  },
  {
    name: 'Flows',
    description: 'Flows of a tenant, and their runs.',
    paths: /^\/v1\/flows|^\/v1\/transaction\/\{id\}\/flows/,
  },
  {
    name: 'Transactions',
    description: 'Transactions, their status and their events.',
    paths: /^\/v1\/(?:transaction|search)/,
  },
  { name: 'Blocks', description: 'Blocks of phone prefixes.', paths: /^\/v1\/blocks/ },
  { name: 'Webhooks', description: 'Webhooks of a tenant, and what was delivered to them.', paths: /^\/v1\/webhooks/ },
  { name: 'Privacy', description: 'Export and erasure of personal data.', paths: /^\/v1\/privacy/ },
  { name: 'Operators', description: 'For the operators of the service only.', paths: /^\/v1\/codec/ },
  { name: 'Service', description: 'Health, and this document.', paths: /^\/(?:health|openapi)/ },
  { name: 'Access', description: 'Access tokens, and the keys that verify them.', paths: /./ },
] as const;

/** The tags of the OpenAPI document, with their descriptions. */
export const tagDescriptions = tags.map(({ name, description }) => ({ name, description }));

/** The tag of a path: the first tag whose pattern matches the path. */
export const tagOf = (path: string) => tags.find(({ paths }) => paths.test(path))?.name;
