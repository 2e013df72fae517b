import type { Colour } from '../../../kernel/colour';
import type { FileId } from '../../../kernel/ids';

/** How a workspace appears to its clients. */
export interface Brand {
  /** Null: the workspace's. */
  name: string | null;
  logo: FileId | null;
  /** At the top of proposals that have no image of their own there. */
  cover: FileId | null;
  accent: Colour | null;
  address: string | null;
  taxNumber: string | null;
  /** Where answers to mails go. */
  replyTo: string | null;
  contactName: string | null;
  contactPhoto: FileId | null;
  contactPhone: string | null;
  contactEmail: string | null;
}

export const NO_BRAND: Brand = {
  ...{ name: null, logo: null, cover: null, accent: null, address: null, taxNumber: null, replyTo: null },
  ...{ contactName: null, contactPhoto: null, contactPhone: null, contactEmail: null },
};

const IMAGES = ['logo', 'cover', 'contactPhoto'] as const;

/** The images that it refers to, each with the field. */
export function imagesOf(brand: Brand): { field: string; id: FileId }[] {
  return IMAGES.flatMap((field) => {
    const id = brand[field];
    return id ? [{ field, id }] : [];
  });
}
