import { type Colour, COLOUR, contrast, LEAST_CONTRAST, readableOn } from '../../../kernel/colour';
import { type FileId, parseId } from '../../../kernel/ids';
import { entityTag, Precondition } from '../../../kernel/precondition';
import * as fieldRules from '../../../platform/http/field-rules';
import { LIGHT_GROUND } from '../../../platform/pages/accent';
import { FormInput } from '../../../platform/pages/form-input';
import type { Brand } from '../domain/brand';

/** What the form begins with. */
export function formOf(brand: Brand): FormInput {
  return new FormInput(
    Object.fromEntries(Object.entries(brand).map(([name, value]) => [name, (value as string | null) ?? ''])),
  );
}

/** The brand as it is, for the form that shows it. */
export function stateOf(brand: Brand): string {
  return entityTag(brand).replaceAll('"', '');
}

/** The brand that the form was shown with. */
export function seenBrand(form: FormInput): Precondition {
  return new Precondition([`"${form.value('seen')}"`]);
}

/** The brand that the form describes; its problems are noted. */
export function readBrand(form: FormInput): Brand {
  const image = (name: string) =>
    form.optional(name, (id) =>
      parseId('file', id as string) ? undefined : 'must be one of your images',
    ) as FileId | null;
  return {
    name: form.optional('name', fieldRules.text(100)),
    logo: image('logo'),
    cover: image('cover'),
    accent: readAccent(form),
    address: form.optional('address', fieldRules.text(500)),
    taxNumber: form.optional('taxNumber', fieldRules.text(50)),
    replyTo: form.optional('replyTo', fieldRules.email),
    contactName: form.optional('contactName', fieldRules.text(200)),
    contactPhoto: image('contactPhoto'),
    contactPhone: form.optional('contactPhone', fieldRules.text(40)),
    contactEmail: form.optional('contactEmail', fieldRules.email),
  };
}

function readAccent(form: FormInput): Colour | null {
  return (form.optional('accent', accentProblem)?.toLowerCase() as Colour | undefined) ?? null;
}

function accentProblem(typed: unknown): string | undefined {
  const colour = (typed as string).toLowerCase() as Colour;
  if (!COLOUR.test(colour)) return 'must be a colour such as #7a3cc2';
  const ratio = contrast(colour, LIGHT_GROUND);
  if (ratio >= LEAST_CONTRAST) return undefined;
  return `is too light to be read: its contrast is ${ratio.toFixed(1)} and needs ${LEAST_CONTRAST}. The nearest that works is ${readableOn(LIGHT_GROUND, colour)}`;
}
