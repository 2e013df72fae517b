import { SetMetadata } from '@nestjs/common';

export const FILE_BODY = 'gala:file-body';

/** The type of a form with a file, whose last field that is. */
export const FILE_FORM = 'multipart/form-data';

/**
 * The body of the route is a file of one of these media types, too large for the memory of a process. An interceptor of the
 * route reads it with `FileBodies`, and sets `request.body` to something that stands for its content: idempotency keys
 * compare that.
 */
export const FileBody = (...mediaTypes: [first: string, ...more: string[]]) =>
  SetMetadata(FILE_BODY, mediaTypes);
