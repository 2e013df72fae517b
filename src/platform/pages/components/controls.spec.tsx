import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { FormInput } from '../form-input';
import { CheckboxField } from './checkbox-field';
import { TextArea } from './text-area';

const render = (node: VNode) => renderToString(node);

test('a text area keeps every line break of a text with several lines', () => {
  const form = new FormInput({ it: '\nfirst\n\nsecond' });
  // Of the line breaks that follow the tag, browsers drop one.
  expect(render(<TextArea form={form} name="it" label="It" />)).toContain('>\n\nfirst\n\nsecond</textarea>');
});

test('a single box is ticked when it was ticked, and tied to its hint and problem', () => {
  const box = (form: FormInput) =>
    render(<CheckboxField form={form} name="it" label="It" hint="Think first" required />);
  expect(box(new FormInput({ it: 'yes' }))).toMatch(/<input[^>]* checked/);
  const form = new FormInput();
  expect(box(form)).not.toContain('checked');
  expect(box(form)).toContain('aria-describedby="field-it-hint"');
  form.problems.push({ field: 'it', message: 'is required' });
  const html = box(form);
  expect(html).toContain('aria-describedby="field-it-hint field-it-problem"');
  expect(html).toContain('aria-invalid="true"');
  expect(html).toContain('<label for="field-it">It</label>');
  expect(html).toContain('It is required.');
});
