import { calendar } from './calendar';
import { content } from './content';
import { documents } from './documents';
import { forms } from './forms';
import { foundation } from './foundation';
import { layout } from './layout';
import { tables } from './tables';
import { work } from './work';

/** Everything that pages look like: later parts rely on the names and elements of the first. */
export const stylesheet = [foundation, layout, content, forms, tables, documents, calendar, work].join('\n');
