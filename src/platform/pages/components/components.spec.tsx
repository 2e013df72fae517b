import fc from 'fast-check';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { FormInput } from '../form-input';
import { PageContextProvider } from '../page-context';
import { Badge } from './badge';
import { Button, ButtonLink } from './button';
import { CheckboxField } from './checkbox-field';
import { CheckboxGroup } from './checkbox-group';
import { CheckboxTree } from './checkbox-tree';
import { DataTable } from './data-table';
import { DescriptionList } from './description-list';
import { ErrorPage } from './error-page';
import { Form } from './form';
import { Link } from './link';
import { NavList, Pagination, Tabs } from './navigation';
import { Notice } from './notice';
import { PageDocument } from './page-document';
import { ProblemSummary } from './problem-summary';
import { ScopeList } from './scope-list';
import { Secret } from './secret';
import { Actions, EmptyState, Section } from './section';
import { SelectField } from './select-field';
import { Sparkline } from './sparkline';
import { TextArea } from './text-area';
import { TextField } from './text-field';
import { Time } from './time';
import { Verbatim } from './verbatim';

const render = (node: VNode) =>
  renderToString(
    <PageContextProvider value={{ basePath: '/gala', csrfToken: 'a-token', now: new Date(0) }}>
      {node}
    </PageContextProvider>,
  );

/** Typed into each field, and wrong in each. */
const faulty = (text: string) => {
  const form = new FormInput({ field: text, list: [text] });
  form.problems.push({ field: 'field', message: text }, { field: 'list[0]', message: text });
  return form;
};

/** Every component, with the text in every place that takes one. */
const components: Record<string, (text: string) => VNode> = {
  PageDocument: (text) => (
    <PageDocument title={text} intro={text} actions={text} header={text} nav={text} mode="test" narrow>
      {text}
    </PageDocument>
  ),
  ErrorPage: (text) => <ErrorPage title={text} message={text} requestId={text} />,
  Link: (text) => <Link to={`/${text}`}>{text}</Link>,
  Form: (text) => (
    <Form action={`/${text}`} id={text} label={text}>
      <TextField form={faulty(text)} name="field" label={text} />
    </Form>
  ),
  TextField: (text) => <TextField form={faulty(text)} name="field" label={text} hint={text} />,
  TextArea: (text) => <TextArea form={faulty(text)} name="field" label={text} hint={text} />,
  CheckboxField: (text) => <CheckboxField form={faulty(text)} name="field" label={text} hint={text} />,
  SelectField: (text) => (
    <SelectField
      form={faulty(text)}
      name="field"
      label={text}
      hint={text}
      options={[{ value: text, label: text }]}
    />
  ),
  CheckboxGroup: (text) => (
    <CheckboxGroup
      form={faulty(text)}
      name="list"
      label={text}
      hint={text}
      items={[{ value: text, label: text, hint: text }]}
    />
  ),
  CheckboxTree: (text) => (
    <CheckboxTree
      form={faulty(text)}
      name="list"
      label={text}
      hint={text}
      all={{ value: text, label: text, hint: text }}
      branches={[{ label: text, all: { value: text, label: text }, items: [{ value: text, label: text }] }]}
    />
  ),
  Verbatim: (text) => <Verbatim label={text} text={text} />,
  Button: (text) => (
    <Button name={text} value={text} of={text}>
      {text}
    </Button>
  ),
  ButtonLink: (text) => (
    <ButtonLink to={`/${text}`} of={text}>
      {text}
    </ButtonLink>
  ),
  Notice: (text) => <Notice title={text}>{text}</Notice>,
  ProblemSummary: (text) => <ProblemSummary form={faulty(text)} labels={{ field: text, list: text }} />,
  'ProblemSummary of a field that isn’t shown': (text) => <ProblemSummary form={faulty(text)} labels={{}} />,
  Section: (text) => (
    <Section title={text} intro={text}>
      {text}
    </Section>
  ),
  EmptyState: (text) => (
    <EmptyState title={text} action={text}>
      {text}
    </EmptyState>
  ),
  Actions: (text) => <Actions>{text}</Actions>,
  DataTable: (text) => (
    <DataTable
      caption={text}
      rows={[text]}
      columns={[
        { title: text, cell: (row) => row, isHeader: true },
        { title: text, cell: (row) => row },
        { title: text, cell: (row) => row, actions: true },
      ]}
    />
  ),
  Badge: (text) => <Badge>{text}</Badge>,
  ScopeList: (text) => <ScopeList scopes={[text, 'leads:read']} words={new Map([[text, text]])} />,
  Sparkline: (text) => <Sparkline label={text} points={[{ label: text, value: 3 }]} />,
  Time: (text) => <Time at={null} zone="UTC" none={text} />,
  Secret: (text) => <Secret name={text} label={text} value={text} />,
  NavList: (text) => (
    <NavList
      label={text}
      groups={[{ title: text, items: [{ to: `/${text}`, label: text }] }]}
      current={`/${text}`}
    />
  ),
  Tabs: (text) => <Tabs label={text} items={[{ to: `/${text}`, label: text }]} />,
  Pagination: (text) => <Pagination newer={`/${text}`} older={`/${text}`} />,
  DescriptionList: (text) => <DescriptionList items={[{ term: text, details: text }]} />,
};

/** Text that means something in HTML, and any other. */
const hostileText = fc.oneof(
  fc.constantFrom(
    '"><script>alert(1)</script>',
    '" onfocus="alert(1)" autofocus="',
    "' onclick='alert(1)",
    '</title><img src=x onerror=alert(1)>',
    '--><svg onload=alert(1)>',
    '&lt;b&gt; &amp; &quot;',
  ),
  fc
    .array(fc.constantFrom('<', '>', '"', "'", '&', '/', '=', ' ', 'script', 'style', '!--', '`', '\n'), {
      minLength: 1,
    })
    .map((pieces) => pieces.join('')),
  fc.string({ minLength: 1 }),
);

/** Tags with the names of their attributes, as a browser would read them; texts and values left out. */
const skeleton = (html: string) =>
  [...html.matchAll(/<(\/?[a-z][^\s/>]*)((?:\s+[^\s=>"]+(?:="[^"]*")?)*)\s*\/?>/g)].map(
    ([, name, attributes]) => `${name}${attributes!.replace(/="[^"]*"/g, '')}`,
  );
const text = (html: string) => html.replace(/<\/?[a-z](?:"[^"]*"|[^">])*>/g, '');

describe.each(Object.entries(components))('%s', (_name, component) => {
  test('lets no text become markup', () => {
    const harmless = skeleton(render(component('x')));
    fc.assert(
      fc.property(hostileText, (hostile) => {
        const html = render(component(hostile));
        expect(skeleton(html)).toEqual(harmless);
        expect(text(html)).not.toContain('<');
      }),
    );
  });

  test('has nothing in it that the content security policy forbids', () => {
    expect(skeleton(render(component('x'))).join('\n')).not.toMatch(/^style|\s(style|on\w+)\b/m);
  });
});

describe('Form', () => {
  const token = '<input type="hidden" name="csrfToken" value="a-token"/>';

  test('carries the token, unless it only looks for something', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.option(fc.string()), (path, id) => {
        const props = { action: `/${path}`, id: id ?? undefined, children: 'x' } as const;
        expect(render(<Form {...props} />)).toContain(token);
        expect(render(<Form {...props} method="post" />)).toContain(token);
        expect(render(<Form {...props} method="get" />)).not.toContain('a-token');
      }),
    );
  });

  test('and links lead below the path that the service is served under', () => {
    expect(render(<Form action="/sign-in">x</Form>)).toContain('action="/gala/sign-in"');
    expect(render(<Link to="/docs">x</Link>)).toContain('href="/gala/docs"');
  });

  test('keeps the fields of several forms apart', () => {
    const html = render(
      <Form action="/x" id="first">
        <ProblemSummary form={faulty('bad')} labels={{ field: 'Field' }} />
        <TextField form={faulty('bad')} name="field" label="Field" />
      </Form>,
    );
    expect(html).toContain('href="#first-field"');
    expect(html).toContain('for="first-field"');
    expect(html).toContain('id="first-field"');
    expect(html).toContain('aria-describedby="first-field-problem"');
  });
});

describe('a field', () => {
  test('shows again what was typed, but for passwords and one-time codes', () => {
    const form = new FormInput({ it: 'typed' });
    const field = { form, name: 'it', label: 'It' };
    expect(render(<TextField {...field} />)).toContain('value="typed"');
    expect(render(<TextField {...field} type="password" />)).not.toContain('typed');
    expect(render(<TextField {...field} autoComplete="one-time-code" />)).not.toContain('typed');
  });

  test('ticks and chooses what was chosen', () => {
    const form = new FormInput({ it: ['a', 'c'] });
    const options = ['a', 'b', 'c'].map((value) => ({ value, label: value }));
    const boxes = render(<CheckboxGroup form={form} name="it" label="It" items={options} />);
    expect([...boxes.matchAll(/value="(.)" checked/g)].map(([, value]) => value)).toEqual(['a', 'c']);
    const select = render(<SelectField form={form} name="it" label="It" options={options} />);
    expect([...select.matchAll(/value="(.)" selected/g)].map(([, value]) => value)).toEqual(['c']);
  });

  test('says what is wrong in a sentence, that of an item too', () => {
    const form = new FormInput();
    form.problems.push(
      { field: 'scopes[1]', message: 'must be known' },
      { field: 'name', message: 'is required' },
    );
    expect(render(<TextField form={form} name="name" label="Name" />)).toContain('Name is required.');
    expect(render(<CheckboxGroup form={form} name="scopes" label="Scopes" items={[]} />)).toContain(
      'Scopes must be known.',
    );
    expect(render(<TextField form={form} name="scope" label="Scope" />)).not.toContain('Scope must');
    expect(render(<ProblemSummary form={form} labels={{ name: 'Name' }} />)).toContain(
      'scopes[1] must be known.',
    );
  });

  test('says that it is optional where a form changes something', () => {
    const field = <TextField form={new FormInput()} name="note" label="Note" />;
    const area = <TextArea form={new FormInput()} name="note" label="Note" />;
    expect(render(<Form action="/x">{field}</Form>)).toContain('(optional)');
    expect(render(<Form action="/x">{area}</Form>)).toContain('(optional)');
    expect(
      render(
        <Form action="/x" method="get">
          {field}
        </Form>,
      ),
    ).not.toContain('(optional)');
  });
});

describe('Time', () => {
  test.each([
    ['Europe/Paris', '28 Nov 2026, 14:05'],
    ['America/New_York', '28 Nov 2026, 08:05'],
    ['Pacific/Kiritimati', '29 Nov 2026, 03:05'],
  ])('in %s says %s', (zone, said) => {
    const html = render(<Time at={new Date('2026-11-28T13:05:00Z')} zone={zone} />);
    expect(html).toBe(`<time datetime="2026-11-28T13:05:00.000Z">${said}</time>`);
  });

  test('says the seconds where they count', () => {
    const html = render(<Time at={new Date('2026-11-28T13:05:09Z')} zone="UTC" seconds />);
    expect(html).toContain('>28 Nov 2026, 13:05:09<');
  });

  test('says midnight with zeros', () => {
    expect(render(<Time at={new Date('2026-11-28T00:05:00Z')} zone="UTC" />)).toContain('28 Nov 2026, 00:05');
  });
});
