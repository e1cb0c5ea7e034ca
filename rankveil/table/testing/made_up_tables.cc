#include "rankveil/table/testing/made_up_tables.h"

#include <fmt/core.h>

#include <cstdlib>

namespace rankveil::draft {

namespace {

constexpr Truth s = Truth::Sensitive, h = Truth::Harmless, e = Truth::Either;

// Mixes a row and a column into a number.
std::uint64_t mixed(std::uint64_t row, std::uint64_t column) {
  std::uint64_t x = (row + 1) * 0x9e3779b97f4a7c15U ^ (column + 1) * 0xd1b54a32d192ed03U;
  x ^= x >> 31;
  x *= 0xbf58476d1ce4e5b9U;
  return x ^ (x >> 27);
}

std::vector<std::string> choices_of(const std::string& values) {
  std::vector<std::string> choices(1);
  for (char c : values) {
    if (c == '|') {
      choices.emplace_back();
    } else {
      choices.back() += c;
    }
  }
  return choices;
}

std::string value_of(const std::string& values, std::size_t row, std::size_t column) {
  std::uint64_t drawn = mixed(row, column);
  if (values == "id") return fmt::format("{}", 100000 + row * 7);
  if (values == "person") return fmt::format("{}", 8222000 + (row / 4) * 131);
  if (values[0] == '#' || values[0] == '~') {
    double low = std::atof(values.c_str() + 1),
           high = std::atof(values.c_str() + values.find("..") + 2);
    double at = static_cast<double>(drawn % 100000) / 100000;
    double number = low + at * at * (high - low);
    return values[0] == '#' ? fmt::format("{:.0f}", number) : fmt::format("{:.3f}", number);
  }
  auto choices = choices_of(values);
  std::size_t least = std::min<std::size_t>(drawn % choices.size(), (drawn >> 20) % choices.size());
  return choices[least];
}

const char* icd9 =
    "250.83|276|648|8|197|414|428|398|434|250.7|157|518|999|410|682|402|737|572|V57|189|786|427|"
    "996";
const char* drug = "No|Steady|Up|Down";
const char* yes_no = "No|Yes";
const char* scale = "3|4|2|5|1|0";

std::vector<MadeColumn> survey_columns() {
  std::vector<MadeColumn> columns = {
      {"", e, "id"},
      {"q0001", e,
       "Very masculine|Somewhat masculine|Not very masculine|Not at all masculine|No answer"},
      {"q0024", e, "Married|Never married|Divorced|Widowed|Separated|No answer"},
      {"q0026", s, "Straight|Gay|Bisexual|Other|No answer"},
      {"q0028", s, "White|Black|Hispanic|Asian|Other"},
      {"q0029", e,
       "Some college|College graduate|High school graduate|Post graduate degree|Did not complete "
       "high school"},
      {"q0035", e,
       "Windows Desktop / Laptop|iOS Phone / Tablet|Android Phone / Tablet|MacOS Desktop / "
       "Laptop|Other"},
      {"q0036", s, "Not a union member|Union member|Retired union member"},
      {"orientation", s, "Straight|Gay/Bisexual|Other|No answer"},
      {"race2", s, "White|Non-white"},
      {"racethn4", s, "White|Hispanic|Black|Other"},
      {"educ3", h, "College or more|Some college|High school or less"},
      {"educ4", h, "College or more|Some college|High school or less|Post Graduate Degree"},
      {"age3", h, "35 - 64|65 and up|18 - 34"},
      {"StartDate", h, "5/10/18 4:01|5/10/18 6:30|5/11/18 9:12|5/12/18 11:47"},
      {"weight", e, "~0..5"},
      {"agegroup", h, "18-29|30-44|45-59|60+"},
      {"region", h, "South|West|Midwest|Northeast"},
      {"gender", h, "Male|Female"},
      {"device", h, "mobile|desktop|tablet"}};
  for (int i = 1; i <= 50; ++i) {
    columns.push_back({fmt::format("EXT{}", i), e, scale});
    columns.push_back(
        {fmt::format("q01{:02}", i), e, "Often|Rarely|Sometimes|Never, but open to it|No answer"});
  }
  return columns;
}

}  // namespace

const std::vector<MadeTable>& made_up_tables() {
  static const std::vector<MadeTable> tables = {
      {"hospital",
       {{"encounter_id", e, "id"},
        {"patient_nbr", s, "person"},
        {"race", s, "Caucasian|AfricanAmerican|?|Hispanic|Other|Asian"},
        {"gender", h, "Female|Male|Unknown/Invalid"},
        {"age", h, "[70-80)|[60-70)|[50-60)|[80-90)|[40-50)|[30-40)|[90-100)|[20-30)"},
        {"weight", e, "?|[75-100)|[50-75)|[100-125)"},
        {"admission_type_id", e, "1|3|2|6|5|8"},
        {"discharge_disposition_id", s, "1|3|6|18|11|22|13|14"},
        {"admission_source_id", e, "7|1|17|4|6|2"},
        {"time_in_hospital", e, "#1..14"},
        {"payer_code", e, "?|MC|HM|SP|BC|MD"},
        {"medical_specialty", s,
         "?|InternalMedicine|Emergency/Trauma|Cardiology|Surgery-General|Oncology|Psychiatry"},
        {"num_lab_procedures", s, "#1..90"},
        {"num_medications", s, "#1..60"},
        {"number_outpatient", s, "#0..20"},
        {"number_emergency", e, "#0..30"},
        {"number_inpatient", s, "#0..15"},
        {"diag_1", s, icd9},
        {"diag_2", s, icd9},
        {"diag_3", s, icd9},
        {"number_diagnoses", s, "#1..16"},
        {"max_glu_serum", s, "None|Norm|>200|>300"},
        {"A1Cresult", s, "None|>8|Norm|>7"},
        {"metformin", s, drug},
        {"repaglinide", s, drug},
        {"glyburide-metformin", s, drug},
        {"insulin", s, drug},
        {"change", e, "No|Ch"},
        {"diabetesMed", s, yes_no},
        {"readmitted", s, "NO|>30|<30"}}},
      {"survey", survey_columns()},
      {"telecom",
       {{"customerID", e, "id"},
        {"gender", h, "Male|Female"},
        {"SeniorCitizen", h, "0|1"},
        {"Partner", e, yes_no},
        {"Dependents", e, yes_no},
        {"tenure", h, "#0..72"},
        {"PhoneService", h, yes_no},
        {"MultipleLines", h, "No|Yes|No phone service"},
        {"InternetService", h, "Fiber optic|DSL|dsl|No"},
        {"OnlineSecurity", h, "No|Yes|No internet service"},
        {"OnlineBackup", h, "No|Yes|No internet service"},
        {"DeviceProtection", h, "No|Yes|No internet service"},
        {"TechSupport", h, "No|Yes|No internet service"},
        {"StreamingTV", h, "No|Yes|No internet service"},
        {"StreamingMovies", h, "No|Yes|No internet service"},
        {"Contract", h, "Month-to-month|One year|Two year"},
        {"PaperlessBilling", h, yes_no},
        {"PaymentMethod", h,
         "Electronic check|Mailed check|Bank transfer (automatic)|Credit card (automatic)"},
        {"MonthlyCharges", e, "~18..118"},
        {"TotalCharges", e, "~18..8684"},
        {"Churn", h, yes_no},
        {"email", s, "anna@example.org|bob@example.org|c.d@mail.example.com"}}},
      {"health telephone survey",
       {{"_STATE", h, "1|2|4|5|6|8|9|10|11|12|13|15|16|17|18|19|20"},
        {"IMONTH", h, "01|02|03|04|05|06|07|08|09|10|11|12"},
        {"SEX", h, "1|2"},
        {"_AGEG5YR", h, "10|9|8|7|6|5|4|3|2|1|14"},
        {"EDUCA", h, "4|6|5|3|2|9"},
        {"GENHLTH", s, "2|3|1|4|5|7|9"},
        {"PHYSHLTH", s, "88|30|1|2|3|5|77|99"},
        {"MENTHLTH", s, "88|30|1|2|3|5|77|99"},
        {"HLTHPLN1", s, "1|2|7|9"},
        {"BPHIGH4", s, "1|3|2|4|7"},
        {"CVDINFR4", s, "2|1|7"},
        {"ASTHMA3", s, "2|1|7"},
        {"CHCSCNCR", s, "2|1|7"},
        {"HAVARTH3", s, "2|1|7"},
        {"ADDEPEV2", s, "2|1|7|9"},
        {"DIABETE3", s, "3|1|4|2|7"},
        {"SMOKE100", s, "2|1|7"},
        {"ALCDAY5", s, "888|101|201|202|230|777"},
        {"AVEDRNK2", s, "1|2|3|4|77"},
        {"HIVTST6", s, "2|1|7"},
        {"INCOME2", s, "8|7|6|5|4|77|99"},
        {"MARITAL", e, "1|3|2|5|6|9"},
        {"CHILDREN", e, "88|1|2|3|99"},
        {"_RACE", s, "1|8|2|7|4|9"},
        {"_BMI5", s, "#1500..4500"},
        {"PREGNANT", s, "2|1|7"},
        {"WEIGHT2", e, "#100..300"},
        {"SXORIENT", s, "1|2|3|9"},
        {"_LLCPWT", h, "~0..4000"}}},
      {"census rows without a header",
       {{"39", e, "#17..90"},
        {"State-gov", e, "Private|Self-emp-not-inc|Local-gov|?"},
        {"77516", e, "#12285..900000"},
        {"Bachelors", h, "HS-grad|Some-college|Bachelors|Masters|11th|10th|7th-8th"},
        {"13", e, "9|10|13|14|11"},
        {"Never-married", e, "Married-civ-spouse|Never-married|Divorced|Separated|Widowed"},
        {"Adm-clerical", e, "Prof-specialty|Craft-repair|Sales|?"},
        {"Not-in-family", e, "Husband|Not-in-family|Own-child|Unmarried|Wife"},
        {"White", s, "White|Black|Asian-Pac-Islander|Amer-Indian-Eskimo|Other"},
        {"Male", h, "Male|Female"},
        {"2174", e, "0|7688|15024|3103"},
        {"0", e, "0|1902|1977"},
        {"40", e, "#1..99"},
        {"United-States", e, "United-States|Mexico|?|Philippines|Germany"},
        {"<=50K", s, "<=50K|>50K"}}},
      {"houses",
       {{"Id", e, "id"},
        {"MSSubClass", h, "20|60|50|120|30|160|70"},
        {"MSZoning", h, "RL|RM|FV|RH"},
        {"LotFrontage", h, "NA|#21..313"},
        {"LotArea", h, "#1300..21524"},
        {"Street", e, "Pave|Grvl"},
        {"Alley", h, "NA|Grvl|Pave"},
        {"Neighborhood", h, "NAmes|CollgCr|OldTown|Edwards|Somerst"},
        {"BldgType", h, "1Fam|TwnhsE|Duplex"},
        {"HouseStyle", h, "1Story|2Story|1.5Fin"},
        {"OverallQual", h, "5|6|7|8|4"},
        {"YearBuilt", h, "#1872..2010"},
        {"RoofStyle", h, "Gable|Hip|Flat"},
        {"Exterior1st", h, "VinylSd|HdBoard|MetalSd"},
        {"BsmtQual", h, "TA|Gd|Ex|NA"},
        {"GrLivArea", h, "#334..5642"},
        {"FullBath", h, "2|1|3"},
        {"BedroomAbvGr", h, "3|2|4"},
        {"KitchenQual", h, "TA|Gd|Ex|Fa"},
        {"GarageType", h, "Attchd|Detchd|NA"},
        {"PoolQC", h, "NA|Gd|Ex"},
        {"Fence", h, "NA|MnPrv|GdPrv"},
        {"MoSold", h, "6|7|5|4|8"},
        {"YrSold", h, "2009|2007|2006|2008"},
        {"SaleType", h, "WD|New|COD"},
        {"SaleCondition", h, "Normal|Partial|Abnorml"},
        {"SalePrice", h, "#34900..755000"}}},
      {"football",
       {{"sofifa_id", e, "id"},
        {"short_name", s, "L. Messi|K. Mbappe|H. Kane|R. Lewandowski|T. Mueller"},
        {"player_positions", h, "CB|ST|GK|CM|LB"},
        {"overall", h, "#47..93"},
        {"potential", h, "#49..95"},
        {"value_eur", e, "#9000..194000000"},
        {"wage_eur", s, "#500..350000"},
        {"age", h, "#16..54"},
        {"dob", e, "1987-06-24|1988-08-21|1985-02-05"},
        {"height_cm", e, "#155..206"},
        {"weight_kg", e, "#49..110"},
        {"club_name", h, "Paris Saint-Germain|FC Bayern|Real Madrid|Arsenal"},
        {"league_name", h, "Ligue 1|Bundesliga|La Liga"},
        {"club_jersey_number", h, "#1..99"},
        {"nationality_name", e, "England|Germany|Spain|France"},
        {"preferred_foot", h, "Right|Left"},
        {"weak_foot", h, "3|2|4"},
        {"skill_moves", h, "2|3|4"},
        {"work_rate", h, "Medium/Medium|High/Medium|High/High"},
        {"pace", h, "#28..97"},
        {"shooting", h, "#18..94"},
        {"mentality_aggression", h, "#10..95"},
        {"mentality_vision", h, "#10..95"},
        {"power_stamina", h, "#12..97"}}},
      {"employees",
       {{"Age", h, "#18..60"},
        {"Attrition", e, yes_no},
        {"BusinessTravel", h, "Travel_Rarely|Travel_Frequently|Non-Travel"},
        {"DailyRate", s, "#102..1499"},
        {"Department", h, "Research & Development|Sales|Human Resources"},
        {"DistanceFromHome", h, "#1..29"},
        {"Education", h, "3|4|2|1|5"},
        {"EducationField", h, "Life Sciences|Medical|Marketing|Technical Degree"},
        {"EmployeeNumber", e, "id"},
        {"EnvironmentSatisfaction", e, "3|4|2|1"},
        {"Gender", h, "Male|Female"},
        {"HourlyRate", s, "#30..100"},
        {"JobLevel", h, "1|2|3|4|5"},
        {"JobRole", h, "Sales Executive|Research Scientist|Laboratory Technician|Manager"},
        {"MaritalStatus", e, "Married|Single|Divorced"},
        {"MonthlyIncome", s, "#1009..19999"},
        {"NumCompaniesWorked", h, "#0..9"},
        {"Over18", e, "Y"},
        {"OverTime", h, yes_no},
        {"PercentSalaryHike", s, "#11..25"},
        {"PerformanceRating", e, "3|4"},
        {"StandardHours", h, "80"},
        {"StockOptionLevel", e, "0|1|2|3"},
        {"TotalWorkingYears", h, "#0..40"},
        {"TrainingTimesLastYear", h, "2|3|4"},
        {"YearsAtCompany", h, "#0..40"},
        {"SickDays", s, "#0..40"},
        {"Betriebsratsmitglied", s, "nein|ja"}}},
      {"bank",
       {{"age", h, "#18..95"},
        {"job", h, "blue-collar|management|technician|admin.|services|retired|unknown"},
        {"marital", e, "married|single|divorced"},
        {"education", h, "secondary|tertiary|primary|unknown"},
        {"default", e, "no|yes"},
        {"balance", e, "#-800..100000"},
        {"housing", e, "yes|no"},
        {"loan", e, "no|yes"},
        {"contact", h, "cellular|unknown|telephone"},
        {"day_of_week", h, "mon|tue|wed|thu|fri"},
        {"month", h, "may|jul|aug|jun|nov|apr"},
        {"duration", h, "#0..4918"},
        {"campaign", h, "#1..63"},
        {"pdays", h, "#-1..871"},
        {"previous", e, "#0..275"},
        {"poutcome", h, "unknown|failure|other|success"},
        {"emp.var.rate", h, "1.4|-1.8|1.1|-0.1"},
        {"cons.price.idx", h, "93.994|93.918|92.893"},
        {"nr.employed", h, "5228.1|5099.1|5191.0"}}},
      {"loans",
       {{"Loan_ID", e, "id"},
        {"Gender", h, "Male|Female"},
        {"Married", e, yes_no},
        {"Dependents", e, "0|1|2|3+"},
        {"Education", h, "Graduate|Not Graduate"},
        {"Self_Employed", h, yes_no},
        {"ApplicantIncome", s, "#150..81000"},
        {"CoapplicantIncome", s, "#0..41667"},
        {"LoanAmount", e, "#9..700"},
        {"Credit_History", s, "1|0"},
        {"Property_Area", h, "Semiurban|Urban|Rural"},
        {"person_home_ownership", e, "RENT|MORTGAGE|OWN"},
        {"loan_intent", e, "EDUCATION|MEDICAL|VENTURE"},
        {"credit_score", s, "#300..850"},
        {"dti", s, "~0..60"},
        {"zip_code", e, "94109|10001|60614|73301|33101"},
        {"ip", s, "10.1.2.3|192.168.7.9|172.16.0.4"},
        {"issue_d", e, "Dec-2015|Jan-2016|Feb-2016"}}},
      {"kunden",
       {{"Kundennummer", e, "id"},
        {"Vorname", s,
         "Anna|Jürgen|Łukasz|Zofia|Petra|Klaus|Uwe|Heike|Sabine|Monika|Dieter|Birgit|Anja|Lena|"
         "Florian|Lukas|Tobias|Felix|Leon|Jonas|Emma|Karin|Horst"},
        {"Stadt", h, "Köln|München|Berlin|Hamburg"},
        {"Bundesland", h, "NRW|Bayern|Berlin|Hamburg"},
        {"Alter", h, "#18..90"},
        {"Geschlecht", h, "m|w|d"},
        {"Konfession", s, "rk|ev|keine|isl"},
        {"Nettoeinkommen", s, "#800..9000"},
        {"Zahlungsart", h, "Lastschrift|Rechnung|PayPal"},
        {"Vertragslaufzeit", h, "12|24|1"},
        {"Krankenkasse", s, "AOK|TK|Barmer"},
        {"Pflegegrad", s, "0|1|2|3"},
        {"Familienstand", e, "ledig|verheiratet|geschieden"},
        {"Staatsangehörigkeit", e, "deutsch|türkisch|polnisch"},
        {"Merkmal7", s, "SPD|CDU|AfD|Die Grünen|FDP"},
        {"Merkmal8", s, "J45.0|E11.9|I10|F32.1|M54.5|K21.0|E78.0|N18.3|C50.9"}}},
      {"pacientes",
       {{"id_paciente", s, "person"},
        {"edad", h, "#0..100"},
        {"sexo", h, "hombre|mujer"},
        {"municipio", h, "Madrid|Sevilla|Bilbao"},
        {"religión", s, "católico|ninguna|musulmán"},
        {"diagnóstico", s, "diabetes|asma|hipertensión"},
        {"fumador", s, "no|sí"},
        {"salario", s, "#900..5000"},
        {"nivel_estudios", h, "primaria|secundaria|universidad"},
        {"tipo_contrato", h, "fijo|temporal"},
        {"embarazada", s, "no|sí"},
        {"voto", s, "PSOE|PP|Vox|Sumar"},
        {"afiliación_sindical", s, "no|CCOO|UGT"}}}};
  return tables;
}

std::vector<ColumnFacts> study_of(const MadeTable& table, std::size_t rows) {
  std::vector<ColumnFacts> facts;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    std::vector<std::string> texts;
    for (std::size_t row = 0; row < rows; ++row) {
      std::string value = value_of(table.columns[column].values, row, column);
      bool nested = value[0] == '#' || value[0] == '~';
      texts.push_back(nested ? value_of(value, row, column + 1000) : value);
    }
    std::vector<PackedText> packed;
    for (const std::string& text : texts) packed.emplace_back(std::string_view(text));
    ColumnStudy study(table.columns[column].name);
    study.add(packed, Presence());
    facts.push_back(std::move(study).finish());
  }
  return facts;
}

}  // namespace rankveil::draft
