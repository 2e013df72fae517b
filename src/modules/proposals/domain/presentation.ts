import { ValidationFailed } from '../../../kernel/errors';
import type { FileId } from '../../../kernel/ids';

export const MAX_SECTIONS = 12;
export const MAX_SECTION_IMAGES = 6;
/** In code points. */
export const MAX_SECTION_TITLE = 200;
export const MAX_SECTION_TEXT = 5000;
export const MAX_MESSAGE = 5000;
export const MAX_TERMS = 20_000;
export const MAX_GROUP = 100;

/** A part of the client's page in front of the prices. */
export interface Section {
  title: string | null;
  text: string | null;
  images: FileId[];
}

/** Whom the client asks. */
export interface Contact {
  name: string;
  photo: FileId | null;
  phone: string | null;
  email: string | null;
}

export type SectionInput = { [Name in keyof Section]?: Section[Name] | null };
export type ContactInput = Pick<Contact, 'name'> & { [Name in keyof Contact]?: Contact[Name] | null };

/** What makes an offer more than its prices. */
export interface PresentationFields {
  /** In front of everything else. */
  message: string | null;
  sections: SectionInput[];
  coverImage: FileId | null;
  terms: string | null;
  contact: ContactInput | null;
}

export interface Presentation extends PresentationFields {
  sections: Section[];
  contact: Contact | null;
}

/** For whom and what an offer is, as it was when it was sent. */
export interface PreparedFor {
  name: string | null;
  eventDate: string | null;
  guests: number | null;
  /** The names of the spaces that are planned for it. */
  spaces: string[];
}

/** How the venue appears on a client's page. Once the proposal is sent, it stays as it was then. */
export interface SentBrand {
  name: string;
  address: string | null;
  taxNumber: string | null;
  logo: FileId | null;
  /** Null while the proposal has its own. */
  cover: FileId | null;
  /** Null while the proposal has its own. */
  contact: BrandContact | null;
}

export interface BrandContact extends Omit<Contact, 'name'> {
  name: string | null;
}

export const NO_PRESENTATION: Presentation = {
  message: null,
  sections: [],
  coverImage: null,
  terms: null,
  contact: null,
};

/**
 * The given fields, complete.
 *
 * @throws ValidationFailed for a section with too many images
 */
export function presentationOf({
  sections,
  contact,
  ...plain
}: Partial<PresentationFields>): Partial<Presentation> {
  return {
    ...plain,
    ...(sections && {
      sections: sections.map(({ title, text, images }, section) => ({
        title: title ?? null,
        text: text ?? null,
        images: imagesOfSection(images ?? [], section),
      })),
    }),
    ...(contact !== undefined && {
      contact: contact && {
        name: contact.name,
        photo: contact.photo ?? null,
        phone: contact.phone ?? null,
        email: contact.email ?? null,
      },
    }),
  };
}

/** Each once. */
function imagesOfSection(images: readonly FileId[], section: number): FileId[] {
  const different = [...new Set(images)];
  if (different.length > MAX_SECTION_IMAGES) {
    const field = `sections[${section}].images`;
    throw new ValidationFailed({ field, message: `must have at most ${MAX_SECTION_IMAGES} items` });
  }
  return different;
}

/** The images that it refers to, each with the path of the field. */
export function imagesOf({
  sections,
  coverImage,
  contact,
}: Pick<Presentation, 'sections' | 'coverImage' | 'contact'>): { field: string; id: FileId }[] {
  return [
    ...(coverImage ? [{ field: 'coverImage', id: coverImage }] : []),
    ...sections.flatMap(({ images }, section) =>
      images.map((id, image) => ({ field: `sections[${section}].images[${image}]`, id })),
    ),
    ...(contact?.photo ? [{ field: 'contact.photo', id: contact.photo }] : []),
  ];
}

/** The images that it refers to, each with the path of the field. */
export function imagesOfBrand({ logo, cover, contact }: SentBrand): { field: string; id: FileId }[] {
  const images = { logo, cover, contactPhoto: contact?.photo };
  return Object.entries(images).flatMap(([field, id]) => (id ? [{ field, id }] : []));
}
