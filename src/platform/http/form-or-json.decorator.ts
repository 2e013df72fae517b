import { SetMetadata } from '@nestjs/common';

export const FORM_OR_JSON = 'gala:form-or-json';

/**
 * The route takes a form as well as JSON, and reads its fields itself: it gets whatever came, fields and parameters
 * that it doesn't know included.
 */
export const FormOrJson = () => SetMetadata(FORM_OR_JSON, true);
