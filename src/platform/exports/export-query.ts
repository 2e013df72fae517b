import type { Type } from '@nestjs/common';
import { OmitType } from '@nestjs/swagger';
import { oneOf, rule } from '../http/field-rules';
import type { PageQuery } from '../http/page-query';
import { QueryParameter } from '../http/query-parameter';
import { EXPORT_FORMATS, type ExportFormat } from './export-format';

export interface ExportParameters {
  format?: ExportFormat;
  /** Names separated by commas. */
  columns?: string;
}

type ListParameter = keyof PageQuery | 'sort';

/**
 * The parameters of an export: the list's filters, the format, and columns out of the fields of `item`, a class of
 * responses. An export has no sort: while others write, only an order that never changes skips and repeats nothing.
 */
export function exportQuery<List extends PageQuery>(
  list: Type<List>,
  item: Type<object>,
): Type<Omit<List, ListParameter> & ExportParameters> {
  const columns = fieldsOf(item);
  const filters = OmitType(list as Type<PageQuery & { sort?: string }>, ['page', 'limit', 'cursor', 'sort']);
  class ExportQuery extends (filters as Type<object>) implements ExportParameters {
    @QueryParameter({ rule: oneOf(EXPORT_FORMATS), default: 'csv', description: 'CSV, or JSON Lines.' })
    format?: ExportFormat;

    @QueryParameter({
      rule: columnList(columns),
      description: 'The columns and their order, separated by commas; by default all.',
      example: columns.slice(0, 3).join(','),
    })
    columns?: string;
  }
  return ExportQuery as Type<object> as Type<Omit<List, ListParameter> & ExportParameters>;
}

/** The names of the fields of a response, in its order. */
export function fieldsOf(response: Type<object>): string[] {
  const names = Reflect.getMetadata(
    'swagger/apiModelPropertiesArray',
    response.prototype as object,
  ) as string[];
  return names.map((name) => name.replace(/^:/, ''));
}

/** Why a list of names separated by commas isn't one of columns. */
export function columnsProblem(names: string, columns: readonly string[]): string | undefined {
  const known = new Set(columns);
  return names.split(',').every((name) => known.has(name))
    ? undefined
    : `must be names of fields separated by commas: ${columns.join(', ')}`;
}

function columnList(columns: readonly string[]) {
  const name = `(${columns.join('|')})`;
  return rule({ type: 'string', pattern: `^${name}(,${name})*$` }, (value) =>
    columnsProblem(value as string, columns),
  );
}
