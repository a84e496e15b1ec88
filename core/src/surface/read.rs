//! Reading the pages of a tools/list, each a document of its own.

use super::Detail;
use super::batch::Batch;
use super::text::Texts;
use super::tool::{BeyondHashes, Parts, ToolHashes};
use crate::canon::{Writer, pass_over, refuse_duplicates};
use crate::error::{Code, Error};
use crate::text::escape::quoted;
use crate::text::limits::MAX_TOOLS;
use crate::text::pointer::Segment;
use crate::text::reader::{Fault, Kind, Outcome, Reader, document};
use crate::text::sort::sort_by;
use crate::text::strings;

const SHAPES: &str = "give an array of tools, an object with `tools`, or the JSON-RPC response of tools/list";

/// A tool's name and where it stands.
struct Named {
    name: String,
    /// The start of the name, as a number with the same order.
    prefix: u64,
    /// Its place in the order of reading.
    order: usize,
    page: usize,
    index: usize,
    offset: usize,
}

/// Where a page keeps its tools.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Top,
    Tools,
    ResultTools,
}

/// What one page told.
struct Page {
    /// Each tool's name and offset.
    tools: Vec<(String, usize)>,
    keep: Keep,
    place: Place,
    about: About,
}

/// What is kept of the tools that pass by.
pub(super) enum Keep {
    Hashes(Batch),
    Text(Texts),
}

impl Keep {
    /// `detail` says which hashes are wanted; none are where it is the text that is.
    fn new(detail: Option<Detail>) -> Self {
        detail.map_or_else(|| Keep::Text(Texts::default()), |detail| Keep::Hashes(Batch::new(detail)))
    }

    fn add(&mut self, parts: &Parts, out: &[u8]) {
        match self {
            Keep::Hashes(batch) => batch.add(parts, out),
            Keep::Text(texts) => texts.add(parts, out),
        }
    }

    pub(super) fn into_hashes(self) -> Vec<(ToolHashes, Option<Box<BeyondHashes>>)> {
        match self {
            Keep::Hashes(batch) => batch.finish(),
            Keep::Text(_) => Vec::new(),
        }
    }

    pub(super) fn into_texts(self) -> Texts {
        match self {
            Keep::Hashes(_) => Texts::default(),
            Keep::Text(texts) => texts,
        }
    }
}

/// What a server says of itself, as canonical JSON.
#[derive(Default)]
struct About {
    instructions: Option<Vec<u8>>,
    server_info: Option<Vec<u8>>,
}

impl About {
    fn member(&mut self, key: &str) -> Option<&mut Option<Vec<u8>>> {
        match key {
            "instructions" => Some(&mut self.instructions),
            "serverInfo" => Some(&mut self.server_info),
            _ => None,
        }
    }

    fn is_empty(&self) -> bool {
        self.instructions.is_none() && self.server_info.is_none()
    }

    /// Takes from another what is missing here.
    fn fill(&mut self, other: About) {
        self.instructions = self.instructions.take().or(other.instructions);
        self.server_info = self.server_info.take().or(other.server_info);
    }
}

/// The tools of all pages.
pub(super) struct Listed {
    /// In order of the names, by UTF-16 code units, with their places in the order of reading.
    pub(super) names: Vec<(String, usize)>,
    /// What was kept of them, page by page.
    pub(super) keeps: Vec<Keep>,
    pub(super) instructions: Option<Vec<u8>>,
    pub(super) server_info: Option<Vec<u8>>,
}

/// The pages of one tools/list, in order; `init` is an object that may have the server's `instructions` and
/// `serverInfo`.
pub(super) fn pages(pages: &[&[u8]], init: Option<&[u8]>, detail: Option<Detail>) -> Result<Listed, Error> {
    let mut read = Vec::with_capacity(pages.len());
    let mut room = MAX_TOOLS;
    for (number, bytes) in pages.iter().enumerate() {
        let is_last = number + 1 == pages.len();
        let page = document(bytes, |reader| page(reader, detail, room, is_last))?;
        room -= page.tools.len();
        read.push(page);
    }
    let mut listed =
        join(read).map_err(|(number, fault)| fault.into_error(pages.get(number).copied().unwrap_or_default()))?;
    if let Some(init) = init {
        let about = document(init, read_about)?;
        listed.instructions = about.instructions.or(listed.instructions);
        listed.server_info = about.server_info.or(listed.server_info);
    }
    Ok(listed)
}

/// The surface that comes next in a larger document.
pub(super) fn one(reader: &mut Reader<'_>, detail: Option<Detail>) -> Outcome<Listed> {
    let page = page(reader, detail, MAX_TOOLS, true)?;
    join(vec![page]).map_err(|(_, fault)| fault)
}

fn page(reader: &mut Reader<'_>, detail: Option<Detail>, room: usize, is_last: bool) -> Outcome<Page> {
    let offset = reader.at();
    let mut page = PageReader { writer: Writer::default(), keep: Keep::new(detail), room, found: None };
    page.read(reader)?;
    let Some(Found { tools, place, about, has_next }) = page.found else {
        return Err(Fault::new(Code::InternalError, offset, "a surface was read and has no tools"));
    };
    if has_next && is_last {
        return Err(Fault::new(Code::IncompleteSurface, offset, "the list says that more pages of tools follow")
            .with_help("ask for the page that `nextCursor` names, and give all tools"));
    }
    Ok(Page { tools, keep: page.keep, place, about })
}

/// One surface of several pages; a fault comes with the number of its page.
fn join(pages: Vec<Page>) -> Result<Listed, (usize, Fault)> {
    let places: Vec<Place> = pages.iter().map(|page| page.place).collect();
    let mut about = About::default();
    let mut named: Vec<Named> = Vec::new();
    let mut keeps = Vec::with_capacity(pages.len());
    for (number, page) in pages.into_iter().enumerate() {
        let first = named.len();
        named.extend(page.tools.into_iter().enumerate().map(|(index, (name, offset))| Named {
            prefix: strings::prefix_of(&name),
            name,
            order: first + index,
            page: number,
            index,
            offset,
        }));
        about.fill(page.about);
        keeps.push(page.keep);
    }
    sort_by(&mut named, |a, b| a.prefix.cmp(&b.prefix).then_with(|| strings::compare_utf16(&a.name, &b.name)));
    let twice = named.windows(2).find_map(|pair| match pair {
        [a, b] if a.name == b.name => Some(b),
        _ => None,
    });
    if let Some(tool) = twice {
        let place = places.get(tool.page).copied().unwrap_or(Place::Top);
        return Err((tool.page, duplicate_tool(tool, place)));
    }
    let in_order = named.into_iter().map(|Named { name, order, .. }| (name, order)).collect();
    let About { instructions, server_info } = about;
    Ok(Listed { names: in_order, keeps, instructions, server_info })
}

#[cold]
fn duplicate_tool(tool: &Named, place: Place) -> Fault {
    let message = format!("the surface has two tools named {}", quoted(&tool.name));
    let fault = Fault::new(Code::DuplicateTool, tool.offset, message)
        .with_help("which of them a client calls is not defined: the server must give each tool a name of its own")
        .inside(Segment::Key("name".to_owned()))
        .inside(Segment::Index(tool.index));
    let fault = if place == Place::Top { fault } else { fault.inside(Segment::Key("tools".to_owned())) };
    if place == Place::ResultTools { fault.inside(Segment::Key("result".to_owned())) } else { fault }
}

/// What an answer to `initialize` says of the server: the result itself, or the JSON-RPC response around it.
fn read_about(reader: &mut Reader<'_>) -> Outcome<About> {
    if reader.kind()? != Kind::Object {
        pass_over(reader)?;
        return Ok(About::default());
    }
    let mut writer = Writer::default();
    let mut about = About::default();
    let mut inner = About::default();
    let mut keys = Vec::new();
    reader.object(|reader, key| {
        let name = strings::decode(key.raw);
        if name == "result" {
            inner = read_about(reader)?;
        } else {
            let value = writer.detached(reader)?;
            if let Some(member) = about.member(&name) {
                *member = Some(value.to_vec());
            }
        }
        keys.push((name, key.offset));
        Ok(())
    })?;
    refuse_duplicates(keys, reader)?;
    about.fill(inner);
    Ok(about)
}

/// The tools of a page, once they are found.
struct Found {
    tools: Vec<(String, usize)>,
    place: Place,
    about: About,
    has_next: bool,
}

struct PageReader {
    writer: Writer,
    keep: Keep,
    /// How many tools the surface may still have.
    room: usize,
    found: Option<Found>,
}

impl PageReader {
    fn read(&mut self, reader: &mut Reader<'_>) -> Outcome<()> {
        let kind = reader.kind()?;
        let offset = reader.at();
        let is_failure = match kind {
            Kind::Array => self.tools(reader, Place::Top).map(|()| false)?,
            Kind::Object => self.object(reader, Place::Tools)?,
            kind => {
                pass_over(reader)?;
                let message = format!("a tool surface is expected, and the value is {}", kind.noun());
                return Err(Fault::new(Code::NotASurface, offset, message).with_help(SHAPES));
            }
        };
        if self.found.is_some() {
            return Ok(());
        }
        let message = if is_failure {
            "the JSON-RPC response is an error and lists no tools"
        } else {
            "the object has no `tools`"
        };
        Err(Fault::new(Code::NotASurface, offset, message).with_help(SHAPES))
    }

    /// Reads an object that may have tools; says whether it is the error of a JSON-RPC call.
    fn object(&mut self, reader: &mut Reader<'_>, place: Place) -> Outcome<bool> {
        let mut keys = Vec::new();
        let mut is_failure = false;
        let mut has_next = false;
        let mut about = About::default();
        let offset = reader.at();
        reader.object(|reader, key| {
            let name = strings::decode(key.raw);
            match name.as_str() {
                "tools" => self.tools(reader, place)?,
                "result" if place == Place::Tools && reader.kind()? == Kind::Object => {
                    self.object(reader, Place::ResultTools)?;
                }
                "nextCursor" => has_next = !matches!(self.writer.detached(reader)?, b"null" | b"\"\""),
                _ => {
                    let value = self.writer.detached(reader)?;
                    is_failure |= name == "error" && value != b"null";
                    if let Some(member) = about.member(&name) {
                        *member = Some(value.to_vec());
                    }
                }
            }
            keys.push((name, key.offset));
            Ok(())
        })?;
        refuse_duplicates(keys, reader)?;
        match self.found.as_mut() {
            Some(found) if found.place == place => {
                found.has_next = has_next;
                found.about = about;
            }
            // Around a result there is nothing but the envelope: which of two answers counts must not be a guess.
            Some(_) if place == Place::Tools && (is_failure || has_next || !about.is_empty()) => {
                let message =
                    "the response has a result, and an error, `nextCursor`, `instructions` or `serverInfo` beside it";
                return Err(Fault::new(Code::NotASurface, offset, message).with_help(SHAPES));
            }
            _ => {}
        }
        Ok(is_failure)
    }

    fn tools(&mut self, reader: &mut Reader<'_>, place: Place) -> Outcome<()> {
        let kind = reader.kind()?;
        let offset = reader.at();
        if kind != Kind::Array {
            let message = format!("`tools` is {}, not an array", kind.noun());
            return Err(Fault::new(Code::NotASurface, offset, message).with_help(SHAPES));
        }
        if self.found.as_ref().is_some_and(|found| found.place != place) {
            return Err(Fault::new(
                Code::NotASurface,
                offset,
                "the object has tools of its own and others in `result`",
            ));
        }
        let mut tools = Vec::new();
        reader.array(|reader, index| {
            reader.kind()?;
            let offset = reader.at();
            if index >= self.room {
                return Err(Fault::new(Code::TooManyTools, offset, "the surface has more than 100,000 tools"));
            }
            let parts = Parts::read(reader, &mut self.writer)?;
            self.keep.add(&parts, &self.writer.out);
            tools.push((parts.name(&self.writer.out), offset));
            Ok(())
        })?;
        self.found = Some(Found { tools, place, about: About::default(), has_next: false });
        Ok(())
    }
}
