import type { Feature } from '../../platform/feature';
import { FilesModule } from './files.module';
import { FileSchema } from './infrastructure/file.schema';

export type { ShownImage } from './application/file-links';
export { FileQueries } from './application/file-queries';
export { type FileReference, FileUses } from './application/file-uses';
export { ReceiveImage } from './application/receive-image';
export { type FileView, MAX_FILE_BYTES } from './domain/file';

export const files: Feature = {
  module: FilesModule,
  schemas: [FileSchema],
  scopes: {
    'files:read': 'See your images',
    'files:write': 'Upload and delete images',
  },
};
