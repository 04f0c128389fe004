import type { AsyncBuffer, RowGroup } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';

/**
 * Checks the sizes in the page headers of a row group, because hyparquet 1.33 may read a page without a size forever.
 * @param names top columns that will be read @throws Error for a damaged page
 */
export async function checkPages(file: AsyncBuffer, { columns }: RowGroup, names: readonly string[]): Promise<void> {
  for (const { meta_data: column } of columns) {
    if (column === undefined || !names.includes(column.path_in_schema[0] ?? '')) continue;
    const start = Number(column.dictionary_page_offset ?? column.data_page_offset);
    const view = new DataView(await file.slice(start, start + Number(column.total_compressed_size)));
    // The reader takes a last byte for padding, too.
    for (const reader = { view, offset: 0 }; reader.offset < view.byteLength - 1; ) {
      const header = parquetHeader(reader);
      const { compressed_page_size: size, uncompressed_page_size: unpackedSize, data_page_header_v2: v2 } = header;
      const page = v2 ?? header.data_page_header ?? header.dictionary_page_header;
      const values = page === undefined ? 0 : page.num_values;
      const sizes = [size, unpackedSize, values];
      if (v2 !== undefined)
        sizes.push(v2.num_rows, v2.num_nulls, v2.definition_levels_byte_length, v2.repetition_levels_byte_length);
      if (!sizes.every((each) => each >= 0) || values > column.num_values)
        throw new Error(`a page with the sizes ${sizes.join(', ')} in a column of ${column.num_values} values`);
      reader.offset += size;
    }
  }
}
