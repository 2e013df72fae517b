import { type FileId, newId } from '../../../kernel/ids';
import { placeOf, placesOf, withPlaces } from './image-places';

const [cover, first, second, photo, fresh] = Array.from({ length: 5 }, () => newId('file')) as [
  FileId,
  ...FileId[],
] &
  FileId[];
const section = (title: string | null, ...images: FileId[]) => ({ title, text: null, images });
const draft = {
  coverImage: cover,
  sections: [section('Garden', first!, second!), section(null, first!)],
  contact: { name: 'Marta', photo: photo!, phone: null, email: null },
};

test('the places are the cover, the sections and the contact’s photo', () => {
  expect(placesOf(draft).map(({ label }) => label)).toEqual([
    ...['Not shown', 'Cover', 'Section 1: Garden', 'Section 2', 'Contact’s photo'],
  ]);
  expect(placesOf({ ...draft, contact: null }).map(({ value }) => value)).toEqual(['', 'cover', '0', '1']);
  expect([cover, first, photo, fresh].map((id) => placeOf(draft, id!))).toEqual([
    'cover',
    '0',
    'contact',
    '',
  ]);
});

test('images that stay keep all of their places', () => {
  const moved = new Map([cover, first!, second!, photo!, fresh!].map((id) => [id, placeOf(draft, id)]));
  expect(withPlaces(draft, moved)).toEqual(draft);
});

test('an image moves from all of its places to the end of another', () => {
  const after = withPlaces(
    draft,
    new Map([
      [first!, 'cover'],
      [fresh!, '1'],
      [photo!, ''],
    ]),
  );
  expect(after).toEqual({
    coverImage: first,
    sections: [section('Garden', second!), section(null, fresh!)],
    contact: { ...draft.contact, photo: null },
  });
  expect(draft.sections[0]!.images).toEqual([first, second]);
});

test('a place that there isn’t takes the image away', () => {
  expect(withPlaces(draft, new Map([[second!, '7']])).sections[0]).toEqual(section('Garden', first!));
});
