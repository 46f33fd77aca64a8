/**
 * The rules for the fields of a signed form of Twilio. The signature covers the names and values of all fields, sorted by name, without
 * separators: `Body=Sim` and `BodyS=im` have the same signature. A person can write names of fields into a text, and whoever captures the
 * signed request can divide its text into other fields. These rules pin the sender and the ids to the places where Twilio wrote them.
 */

/** A field, and where it begins in the signed text. */
interface Field {
  name: string;
  value: string;
  start: number;
}

/** The names of the sender and of an id, and all fields of Twilio whose names contain them. */
const pinnedNames: readonly (readonly [name: string, names: readonly string[]])[] = [
  ['From', ['From', 'FromCity', 'FromCountry', 'FromState', 'FromZip']],
  ['MessageSid', ['MessageSid', 'OriginalRepliedMessageSid', 'SmsMessageSid']],
];

/** The fields that can contain the word "From" in a text or a name of a person. */
const textFields: readonly string[] = ['Body', 'ChannelMetadata', 'ProfileName'];

/** The beginning of the address of a person: `+55…`, a short number, or `whatsapp:…`. */
const addressPattern = /^(?:[+\d]|[a-z][\w-]*:)/i;

/** The beginnings of names of fields with a text of a person that Twilio sends after `OriginalRepliedMessageSid`. */
const laterTextFields = /ProfileName|Referral/;

/** The fields in the order in which Twilio signs them. */
function toFields(form: Record<string, unknown>): Field[] {
  let start = 0;
  return Object.entries(form)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => {
      const field = { name, value: String(value), start };
      start += name.length + field.value.length;
      return field;
    });
}

const endOf = ({ name, value, start }: Field) => start + name.length + value.length;

/**
 * Whether `name` is somewhere in the signed text, but not in one of `names`, the fields that Twilio sends. There, it may be the true sender or the
 * true id, hidden behind a field that was only a text of a person. The word "From" may be in such a text, but not before an address.
 */
function isHidden(
  [name, names]: readonly [name: string, names: readonly string[]],
  fields: readonly Field[],
  signedText: string,
): boolean {
  const places = new Set(
    fields.filter((field) => names.includes(field.name)).map((field) => field.start + field.name.lastIndexOf(name)),
  );
  return [...signedText.matchAll(new RegExp(name, 'g'))].some(({ index }) => {
    if (places.has(index)) return false;
    if (name !== 'From') return true;
    const text = fields.find((field) => textFields.includes(field.name) && field.start < index && index < endOf(field));
    return !text || addressPattern.test(signedText.slice(index + name.length, endOf(text)));
  });
}

/**
 * Whether the id of the answered message may come from a text of a person. Between the id of a message and the id of the message that it
 * answers, Twilio sends no such text. So a name of a field with a text in between was taken into another field.
 */
function hasForgedOrigin(fields: readonly Field[], signedText: string): boolean {
  const [id, origin] = ['MessageSid', 'OriginalRepliedMessageSid'].map((name) =>
    fields.find((field) => field.name === name),
  );
  return !!id && !!origin && laterTextFields.test(signedText.slice(endOf(id), origin.start));
}

/**
 * Returns the errors of a form with a valid signature, by field: all required fields must have their exact names, no field may be sent
 * twice, and no optional field, no id and no sender may be hidden in another field. Then the sender, the id of the message and the id of
 * the message that it answers are those that Twilio has signed as such. Only a text can have lost its end.
 */
export function signedFieldErrors(
  form: Record<string, unknown>,
  required: readonly string[],
  optional: readonly string[],
): Record<string, string[]> {
  const fields = toFields(form);
  const signedText = fields.map(({ name, value }) => `${name}${value}`).join('');
  const doubled = Object.keys(form).filter((name) => typeof form[name] !== 'string');
  // All field names of the provider match this pattern. Any other name may have been the end of a text, such as the reply of a person,
  // before somebody turned it into a field name.
  const misnamed = fields.some(({ name }) => !/^[A-Z][A-Za-z0-9]*$/.test(name));
  const hidden =
    pinnedNames.some((pinned) => required.includes(pinned[0]) && isHidden(pinned, fields, signedText)) ||
    hasForgedOrigin(fields, signedText);
  const missing = required.filter((name) => form[name] === undefined);
  const hiddenOptional = optional.filter((name) => form[name] === undefined && signedText.includes(name));
  return Object.fromEntries<string[]>([
    ...doubled.map((name): [string, string[]] => [name, ['is sent twice']]),
    ...(misnamed ? [['form', ['has a field that the provider does not send']] satisfies [string, string[]]] : []),
    ...(hidden
      ? [['form', ['has an id or a sender that is not a field of its own']] satisfies [string, string[]]]
      : []),
    ...missing.map((name): [string, string[]] => [name, ['is required']]),
    ...hiddenOptional.map((name): [string, string[]] => [name, ['must be a field of its own']]),
  ]);
}
