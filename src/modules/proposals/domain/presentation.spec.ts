import fc from 'fast-check';
import { ValidationFailed } from '../../../kernel/errors';
import { type FileId, newId } from '../../../kernel/ids';
import { MAX_SECTION_IMAGES, presentationOf } from './presentation';

const POOL = Array.from({ length: 9 }, () => newId('file'));

const written = (images: readonly FileId[][]) => {
  try {
    return presentationOf({ sections: images.map((each) => ({ images: each })) }).sections!;
  } catch (error) {
    if (error instanceof ValidationFailed) return error.details[0]!.field;
    throw error;
  }
};

test('a section has each image once, in its order, and six at most', () => {
  const lists = fc.array(fc.array(fc.constantFrom(...POOL), { maxLength: 20 }), { maxLength: 4 });
  fc.assert(
    fc.property(lists, (images) => {
      const different = images.map((each) => [...new Set(each)]);
      const full = different.findIndex(({ length }) => length > MAX_SECTION_IMAGES);
      expect(written(images)).toEqual(
        full === -1
          ? different.map((each) => ({ title: null, text: null, images: each }))
          : `sections[${full}].images`,
      );
    }),
  );
});
