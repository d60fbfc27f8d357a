//! A document as a file of another language.

use crate::document::{Reading, Refused};
use houserules_gdf::Remarks;
use houserules_model::FileId;

/// The text of a game file in XML, comments included. Rules may still be wrong in it, but the text can be read.
pub fn game_file(reading: &Reading) -> Result<String, Refused> {
    if let Some(fault) = houserules_gdl::parse(FileId(0), &reading.text).diagnostics.first() {
        let words = format!("A text with a slip in it cannot be written as XML: {}. Mend it first.", fault.title);
        return Err(Refused::new("file/broken", words));
    }
    Ok(houserules_gdf::write(&reading.definition, &Remarks::of_gdl(&reading.sources)))
}
