import type { Feature } from '../../platform/feature';
import { FilesModule } from './files.module';
import { FileSchema } from './infrastructure/file.schema';

export type { ImagePath, ShownImage } from './application/file-links';
export { FileQueries } from './application/file-queries';
export { type FileReference, FileUses } from './application/file-uses';
export type { FileView, PageFile } from './domain/file';
export { memberImagePath, Thumbnail } from './pages/thumbnail';

export const files: Feature = {
  module: FilesModule,
  schemas: [FileSchema],
  scopes: {
    'files:read': 'See your images',
    'files:write': 'Upload and delete images',
  },
};
