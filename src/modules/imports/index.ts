import { readableWith } from '../../kernel/event-types';
import type { Feature } from '../../platform/feature';
import { ImportResponse } from './http/import.dto';
import { ImportsModule } from './imports.module';
import { ImportSchema } from './infrastructure/import.schema';

export { failedRowsText } from './application/failed-rows-text';
export { ImportQueries } from './application/import-queries';
export { RunImport } from './application/run-import';
export type { ImportView } from './domain/import-view';
export {
  DATE_FORMATS,
  DELIMITERS,
  ENCODINGS,
  type ImportOptions,
  MATCH_BY,
  ON_EMPTY,
  ON_EXISTING,
  ON_MULTIPLE,
} from './domain/import-options';

export const imports: Feature = {
  module: ImportsModule,
  schemas: [ImportSchema],
  events: readableWith(
    'leads:read',
    {
      'import.completed': 'Every row of an import has a result',
      'import.failed': 'The file of an import can’t be read, or the import can’t go on',
    },
    {},
    ImportResponse,
  ),
};
