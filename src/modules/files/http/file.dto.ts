import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { PathId } from '../../../platform/http/path-id';
import { TIME } from '../../../platform/openapi/common-responses';
import type { FileView } from '../domain/file';
import { IMAGE_TYPES, type ImageType } from '../domain/image-kind';

export const FILE = new PathId('file', 'file');

@ApiSchema({ name: 'File', description: 'An uploaded image. It never changes.' })
export class FileResponse implements Record<keyof FileView, unknown> {
  @ApiProperty({ example: FILE.example }) id!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'As the form of the upload named it, without folders. Null without one.',
    example: 'garden.jpg',
  })
  name!: string | null;
  @ApiProperty({ enum: [...IMAGE_TYPES], description: 'Of the upload.', example: 'image/jpeg' })
  type!: ImageType;
  @ApiProperty({ type: 'integer', description: 'In pixels, upright.', example: 3000 }) width!: number;
  @ApiProperty({ type: 'integer', example: 2000 }) height!: number;
  @ApiProperty({ type: 'integer', description: 'All sizes that were made of it.', example: 845_210 })
  bytes!: number;
  @ApiProperty({
    format: 'uri',
    description:
      'A JPEG, or a PNG if it has transparency. It answers while a sent proposal or the brand shows the image, and never changes: it may be cached for good.',
    example: 'https://gala.example.com/files/8jq2CrBoQ0ZJvYf0aXo4mSg1TqkVd7wHn5uLeRzPiNk/full.jpg',
  })
  url!: string;
  @ApiProperty(TIME) createdAt!: Date;
}
