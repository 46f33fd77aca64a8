import type { Evidence } from '../../../domain/scoring/evidence';
import type { TransactionInput } from '../../../domain/transaction/transaction';
import { nameLikeness } from '../name-likeness';
import { brandOf } from '../tables/card-brands';
import { normalizeDocument } from './document';

/** Finds the brand of a card, and whether its owner is the person. Undefined if the card has neither a valid BIN nor an owner. */
export function findCard({ card, document, name }: TransactionInput): Evidence['card'] {
  if (!card) return undefined;
  const found = { ...findBrand(card.bin), ...findOwner(card, document, name) };
  return Object.keys(found).length > 0 ? found : undefined;
}

function findBrand(bin: string | undefined): Evidence['card'] {
  if (bin === undefined || !/^\d{6}(?:\d\d)?$/.test(bin)) return {};
  const brand = brandOf(bin);
  return brand === undefined ? { binKnown: false } : { brand, binKnown: true };
}

/** Whether the card owner has the document of the person, and how much the names resemble each other. */
function findOwner(
  { ownerDocument, ownerName }: NonNullable<TransactionInput['card']>,
  document: string,
  name: string | undefined,
): Evidence['card'] {
  const owner = normalizeDocument(ownerDocument ?? '');
  const ownerNameLikeness = nameLikeness(ownerName ?? '', name ?? '');
  return {
    ...(owner ? { ownerDocumentMatches: owner === normalizeDocument(document) } : {}),
    ...(ownerNameLikeness === undefined ? {} : { ownerNameLikeness }),
  };
}
