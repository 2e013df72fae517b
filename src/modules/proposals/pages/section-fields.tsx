import { CheckboxField } from '../../../platform/pages/components/checkbox-field';
import { TextArea } from '../../../platform/pages/components/text-area';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { MAX_SECTIONS } from '../domain/presentation';
import { countSections, sectionField } from './draft-presentation';

export const PRESENTATION_LABELS = {
  message: 'Personal message',
  terms: 'Terms',
  contactName: 'Contact’s name',
  contactPhone: 'Contact’s phone',
  contactEmail: 'Contact’s email',
  coverImage: 'The cover',
  sections: 'The sections',
};

/** The fields of each section, and one that is blank. */
export function SectionFields({ form }: { form: FormInput }) {
  const filled = countSections(form);
  const count = Math.min(filled + 1, MAX_SECTIONS);
  return (
    <>
      {Array.from({ length: count }, (_, section) => (
        <fieldset class="part">
          <legend>{`Section ${section + 1}`}</legend>
          <TextField form={form} name={sectionField(section, 'title')} label="Heading" />
          <TextArea form={form} name={sectionField(section, 'text')} label="Text" rows={3} />
          <input
            type="hidden"
            name={sectionField(section, 'images')}
            value={form.value(sectionField(section, 'images'))}
          />
          {section < filled && (
            <CheckboxField form={form} name={sectionField(section, 'remove')} label="Remove this section" />
          )}
        </fieldset>
      ))}
    </>
  );
}

/** Names of the fields for a summary of problems. */
export function sectionLabels(form: FormInput): Record<string, string> {
  const labels = Array.from({ length: countSections(form) }, (_, section) => [
    [sectionField(section, 'title'), `Heading of section ${section + 1}`],
    [sectionField(section, 'text'), `Text of section ${section + 1}`],
    [sectionField(section, 'images'), `Images of section ${section + 1}`],
  ]).flat();
  return Object.fromEntries(labels) as Record<string, string>;
}
