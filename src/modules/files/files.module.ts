import { Module } from '@nestjs/common';
import { DeleteFile } from './application/delete-file';
import { FileLinks, FileViews } from './application/file-links';
import { FileQueries } from './application/file-queries';
import { FileRepository } from './application/file-repository';
import { FileUses } from './application/file-uses';
import { ImageEncoder } from './application/image-encoder';
import { ReceiveImage } from './application/receive-image';
import { PublicFileLinks } from './http/file-links';
import { FilesController } from './http/files.controller';
import { PublicFilesController } from './http/public-files.controller';
import { PostgresFileRepository } from './infrastructure/file.repository';
import { SettingsNavigation } from '../shell';
import { SharpEncoder } from './infrastructure/sharp-encoder';
import { FilesPagesController } from './pages/files-pages.controller';

@Module({
  controllers: [FilesController, PublicFilesController, FilesPagesController],
  providers: [
    DeleteFile,
    FileQueries,
    FileUses,
    FileViews,
    ReceiveImage,
    { provide: FileLinks, useClass: PublicFileLinks },
    { provide: FileRepository, useClass: PostgresFileRepository },
    { provide: ImageEncoder, useClass: SharpEncoder },
  ],
  exports: [DeleteFile, FileQueries, FileUses, ReceiveImage],
})
export class FilesModule {
  constructor(navigation: SettingsNavigation) {
    navigation.add({ group: 'Sales', label: 'Files', path: ':mode/files', least: 'member', position: 9 });
  }
}
