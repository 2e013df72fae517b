import { SetMetadata } from '@nestjs/common';

export const FILE_BODY = 'gala:file-body';

/**
 * The body of the route is a file of that media type, too large for the memory of a process. An interceptor of the route
 * reads it with `FileBodies`, and sets `request.body` to something that stands for its content: idempotency keys compare that.
 */
export const FileBody = (mediaType: string) => SetMetadata(FILE_BODY, mediaType);
