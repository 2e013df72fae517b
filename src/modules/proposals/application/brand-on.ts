import type { Brand } from '../../brand';
import type { Presentation, SentBrand } from '../domain/presentation';

/** What the page of a proposal shows of the brand: the cover and the contact only where the proposal has none. */
export function brandOn(
  { coverImage, contact }: Pick<Presentation, 'coverImage' | 'contact'>,
  brand: Brand,
  workspaceName: string,
): SentBrand {
  const { name, address, taxNumber, logo, cover } = brand;
  return {
    ...{ name: name ?? workspaceName, address, taxNumber, logo },
    cover: coverImage ? null : cover,
    contact: contact ? null : contactOf(brand),
  };
}

function contactOf({ contactName, contactPhoto, contactPhone, contactEmail }: Brand): SentBrand['contact'] {
  if (!contactName && !contactPhone && !contactEmail) return null;
  return { name: contactName, photo: contactPhoto, phone: contactPhone, email: contactEmail };
}
