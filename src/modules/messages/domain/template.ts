import type { FieldProblem } from '../../../kernel/errors';
import type { TemplateUse } from './message';

/** A text for approval by the channel, which may be sent at any time once approved. */
export interface Template {
  readonly name: string;
  readonly language: string;
  /** The channel's status; only `APPROVED` templates can be sent. */
  readonly status: string;
  readonly body: string;
  /** The names of the variables: `1`, `2` and so on if the template numbers them. */
  readonly headerVariables: readonly string[];
  readonly bodyVariables: readonly string[];
  /** Why Gala can't send it, for example because its header is a picture; null if it can. */
  readonly obstacle: string | null;
}

/** Why the template can't be sent with these values, if it can't. */
export function templateProblem(
  { name, language, variables }: TemplateUse,
  known: readonly Template[],
): FieldProblem | undefined {
  const sameName = known.filter((template) => template.name === name);
  if (sameName.length === 0) {
    return {
      field: 'template.name',
      message: `there is no template ${JSON.stringify(name)}; Settings → Channels lists those that there are, and looks for new ones`,
    };
  }
  const template = sameName.find((each) => each.language === language);
  if (!template) {
    const languages = sameName.map((each) => each.language).join(', ');
    return { field: 'template.language', message: `the template is there in ${languages} only` };
  }
  if (template.status !== 'APPROVED') {
    return { field: 'template.name', message: `can’t be used: its status is ${template.status}` };
  }
  if (template.obstacle) return { field: 'template.name', message: template.obstacle };
  const count = template.headerVariables.length + template.bodyVariables.length;
  if (variables.length !== count) {
    return {
      field: 'template.variables',
      message: `the template takes ${count} variable${count === 1 ? '' : 's'}, not ${variables.length}`,
    };
  }
  const odd = variables.findIndex((variable) => /[\n\r\t]| {5}/.test(variable));
  return odd === -1
    ? undefined
    : {
        field: 'template.variables',
        message: `number ${odd + 1} has a line break, a tab or more than four spaces in a row, which templates don’t take`,
      };
}
