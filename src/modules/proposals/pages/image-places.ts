import type { FileId } from '../../../kernel/ids';
import type { Presentation } from '../domain/presentation';

type Pictured = Pick<Presentation, 'sections' | 'coverImage' | 'contact'>;

const NOWHERE = '';
const COVER = 'cover';
const CONTACT = 'contact';

/** The places that a draft has for images. */
export function placesOf({ sections, contact }: Pictured): { value: string; label: string }[] {
  return [
    { value: NOWHERE, label: 'Not shown' },
    { value: COVER, label: 'Cover' },
    ...sections.map(({ title }, index) => ({
      value: String(index),
      label: `Section ${index + 1}${title ? `: ${title.slice(0, 40)}` : ''}`,
    })),
    ...(contact ? [{ value: CONTACT, label: 'Contact’s photo' }] : []),
  ];
}

/** Where an image stands; the first place of several. */
export function placeOf({ sections, coverImage, contact }: Pictured, id: FileId): string {
  if (coverImage === id) return COVER;
  const section = sections.findIndex(({ images }) => images.includes(id));
  if (section !== -1) return String(section);
  return contact?.photo === id ? CONTACT : NOWHERE;
}

/** With the images where they were moved to. Those that stay keep all of their places and their order. */
export function withPlaces(before: Pictured, moved: ReadonlyMap<FileId, string>): Pictured {
  const after: Pictured = structuredClone(before);
  for (const [id, place] of moved) {
    if (place === placeOf(before, id)) continue;
    if (after.coverImage === id) after.coverImage = null;
    if (after.contact?.photo === id) after.contact.photo = null;
    for (const section of after.sections) section.images = section.images.filter((each) => each !== id);
    if (place === COVER) after.coverImage = id;
    else if (place === CONTACT && after.contact) after.contact.photo = id;
    else if (place !== NOWHERE) after.sections[Number(place)]?.images.push(id);
  }
  return after;
}
