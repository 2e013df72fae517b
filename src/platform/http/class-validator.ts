import type * as ClassValidator from 'class-validator';

/**
 * The few parts of class-validator that are used here, each from its own file: its index would load 130 decorators more, and the
 * numbering plans of all countries with them, which takes a tenth of the time to start.
 */
const part = <Name extends keyof typeof ClassValidator>(file: string) =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- no declarations stand beside these files
  require(`class-validator/cjs/${file}`) as Pick<typeof ClassValidator, Name>;

export const { ValidateBy } = part<'ValidateBy'>('decorator/common/ValidateBy');
export const { ValidateIf } = part<'ValidateIf'>('decorator/common/ValidateIf');
export const { getMetadataStorage } = part<'getMetadataStorage'>('metadata/MetadataStorage');
export const { isEmail } = part<'isEmail'>('decorator/string/IsEmail');
export const { Validator } = part<'Validator'>('validation/Validator');
