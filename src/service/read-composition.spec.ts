import { CompositionError } from '../platform/composition-error';
import { readComposition } from './read-composition';

class VendorsModule {}
class Vendors1795941752000 {}
const vendors = { module: VendorsModule, migrations: [Vendors1795941752000], schemas: [] };
abstract class Mailer {}

test('a composition is read as it is, and both of its lists may be missing', () => {
  const overrides = [{ provide: Mailer, useValue: {} }];
  expect(readComposition({ extensions: [vendors], overrides }, 'gala.config.js')).toEqual({
    extensions: [vendors],
    overrides,
  });
  expect(readComposition({}, 'gala.config.js')).toEqual({ extensions: [], overrides: [] });
});

test.each<[unknown, RegExp]>([
  [undefined, /exports undefined .*module\.exports = /],
  [null, /exports null/],
  [vendors.module, /exports a function/],
  [[vendors], /exports a list/],
  [{ extension: [vendors] }, /"extension".* Use extensions and overrides\./],
  [vendors, /"module"/],
  [{ extensions: vendors }, /extensions is an object\. Make it a list/],
  [{ overrides: null }, /overrides is null/],
  [{ extensions: [vendors, undefined] }, /extensions\[1\] is undefined.*exports it under that name/],
  [{ extensions: [VendorsModule] }, /extensions\[0\] is a function/],
  [{ extensions: [{ schemas: [] }] }, /extensions\[0\]\.module is undefined.*Nest module/],
  [{ extensions: [{ ...vendors, migrations: {} }] }, /extensions\[0\]\.migrations is an object/],
  [{ extensions: [{ ...vendors, schemas: 'dist/**' }] }, /extensions\[0\]\.schemas is a string/],
  [{ extensions: [{ ...vendors, migrations: ['dist/*.js'] }] }, /\.migrations\[0\] is a string.*classes/],
  [{ overrides: [{ useValue: {} }] }, /overrides\[0\] has no token/],
  [{ overrides: [{ provide: undefined, useValue: {} }] }, /overrides\[0\] has no token/],
])('%j is refused with the name of the file and what to do', (exported, message) => {
  const read = () => readComposition(exported, 'dist/gala.config.js');
  expect(read).toThrow(CompositionError);
  expect(read).toThrow(/^dist\/gala\.config\.js can’t be used: .*\.$/);
  expect(read).toThrow(message);
});
