import { type FileId, parseId } from '../../../kernel/ids';
import * as fieldRules from '../../../platform/http/field-rules';
import type { FormInput } from '../../../platform/pages/form-input';
import {
  MAX_MESSAGE,
  MAX_SECTION_TEXT,
  MAX_SECTION_TITLE,
  MAX_SECTIONS,
  MAX_TERMS,
  type PresentationFields,
  type SectionInput,
} from '../domain/presentation';

const SECTION_FIELDS = ['title', 'text', 'images'] as const;
type SectionField = (typeof SECTION_FIELDS)[number];

/** The name of a field of a section, as the use cases name it in problems. */
export function sectionField(section: number, field: SectionField | 'remove'): string {
  return `sections[${section}].${field}`;
}

/** What the form begins with. Images are carried along unseen: they are chosen on a page of their own. */
export function presentationValues(fields: PresentationFields): Record<string, string> {
  const { message, sections, coverImage, terms, contact } = fields;
  const ofSections = sections.flatMap(({ title, text, images }, section) => [
    [sectionField(section, 'title'), title ?? ''],
    [sectionField(section, 'text'), text ?? ''],
    [sectionField(section, 'images'), (images ?? []).join(' ')],
  ]);
  return {
    ...{ message: message ?? '', terms: terms ?? '', coverImage: coverImage ?? '' },
    contactName: contact?.name ?? '',
    contactPhone: contact?.phone ?? '',
    contactEmail: contact?.email ?? '',
    contactPhoto: contact?.photo ?? '',
    ...(Object.fromEntries(ofSections) as Record<string, string>),
  };
}

/** Forms of a release without these fields have none of them. */
export function hasPresentation(form: FormInput): boolean {
  const names = ['message', 'coverImage', 'terms', 'contactName', sectionField(0, 'title')];
  return names.some((name) => form.list(name).length > 0);
}

/** The fields of the sections that aren't blank or to be removed, moved up to where others were. */
export function filledSections(form: FormInput): Record<string, string> {
  const kept = Array.from({ length: MAX_SECTIONS }, (_, section) => section).filter(
    (section) => !form.isChecked(sectionField(section, 'remove')),
  );
  const filled = kept
    .map((section) => SECTION_FIELDS.map((field) => form.value(sectionField(section, field))))
    .filter((values) => values.some((value) => value.trim() !== ''));
  const entries = filled.flatMap((values, section) =>
    values.map((value, index) => [sectionField(section, SECTION_FIELDS[index]!), value]),
  );
  return Object.fromEntries(entries) as Record<string, string>;
}

/** The number of sections that aren't blank, in a form without blank ones between them. */
export function countSections(form: FormInput): number {
  return Object.keys(filledSections(form)).length / SECTION_FIELDS.length;
}

/** What the form describes; its problems are noted. */
export function readPresentation(form: FormInput): PresentationFields {
  return {
    message: form.optional('message', fieldRules.text(MAX_MESSAGE)),
    sections: Array.from({ length: countSections(form) }, (_, section) => readSection(form, section)),
    coverImage: parseId('file', form.value('coverImage')) ?? null,
    terms: form.optional('terms', fieldRules.text(MAX_TERMS)),
    contact: readContact(form),
  };
}

function readSection(form: FormInput, section: number): SectionInput {
  const images = form.value(sectionField(section, 'images')).split(' ');
  return {
    title: form.optional(sectionField(section, 'title'), fieldRules.text(MAX_SECTION_TITLE)),
    text: form.optional(sectionField(section, 'text'), fieldRules.text(MAX_SECTION_TEXT)),
    images: images.map((id) => parseId('file', id)).filter((id): id is FileId => id !== undefined),
  };
}

function readContact(form: FormInput): PresentationFields['contact'] {
  const phone = form.optional('contactPhone', fieldRules.text(40));
  const email = form.optional('contactEmail', fieldRules.email);
  const isNamed = form.value('contactName') !== '' || phone !== null || email !== null;
  if (!isNamed) return null;
  const name = form.text('contactName', fieldRules.text(200));
  return { name, phone, email, photo: parseId('file', form.value('contactPhoto')) ?? null };
}
